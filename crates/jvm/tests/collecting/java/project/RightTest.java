package project;

public class RightTest {
    public void meets() {
        Meeting.await();
        onlyRight();
        Meeting.await();
    }

    private void onlyRight() {}
}
