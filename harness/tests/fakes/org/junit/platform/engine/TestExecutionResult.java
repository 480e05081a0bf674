package org.junit.platform.engine;

import java.util.Optional;

public class TestExecutionResult {
    private final String status;

    public TestExecutionResult(String status) {
        this.status = status;
    }

    public String getStatus() {
        return status;
    }

    public Optional<Throwable> getThrowable() {
        return Optional.empty();
    }
}
