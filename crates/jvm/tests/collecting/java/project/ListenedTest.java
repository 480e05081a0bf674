package project;

public class ListenedTest {
    public void isListenedTo() throws Exception {
        com.gradle.Listener.tellsBuildTool();
    }
}
