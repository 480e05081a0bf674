package market;

public class Carousel implements Ride {
    private int turns;

    public static Ride spinning() {
        Carousel carousel = new Carousel();
        carousel.spin();
        return carousel;
    }

    void spin() {
        turns++;
    }

    @Override
    public int rounds() {
        return turns;
    }
}
