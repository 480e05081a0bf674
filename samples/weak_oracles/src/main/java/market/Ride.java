package market;

public interface Ride {
    int rounds();
}
