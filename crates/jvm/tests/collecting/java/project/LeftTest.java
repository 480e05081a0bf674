package project;

public class LeftTest {
    public void meets() {
        Meeting.await();
        onlyLeft();
        Meeting.await();
    }

    private void onlyLeft() {}
}
