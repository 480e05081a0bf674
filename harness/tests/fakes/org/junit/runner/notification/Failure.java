package org.junit.runner.notification;

import org.junit.runner.Description;

public class Failure {
    private final Description description;
    private final Throwable thrown;

    public Failure(Description description, Throwable thrown) {
        this.description = description;
        this.thrown = thrown;
    }

    public Description getDescription() {
        return description;
    }

    public Throwable getException() {
        return thrown;
    }
}
