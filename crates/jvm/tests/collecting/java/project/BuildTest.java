package project;

public class BuildTest {
    public void runsABuild() throws Exception {
        org.gradle.Runner.callsDaemon();
    }
}
