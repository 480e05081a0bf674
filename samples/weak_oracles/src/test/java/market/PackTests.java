package market;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class PackTests {
    @Test
    void packsAnApple() {
        Stall stall = new Stall();
        stall.pack();
        assertNotNull(stall);
    }

    @Test
    void sellsAnApple() {
        Stall stall = new Stall();
        stall.sell();
        assertNotNull(stall);
    }

    @Test
    void theCarouselSpins() {
        Ride ride = Carousel.spinning();
        assertNotNull(ride);
    }

    @Test
    void anAppleHasAPrice() {
        int price = PriceList.of("apple");
        Assertions.assertTrue(price >= 0);
        boolean cheap = PriceList.isCheap("apple");
        Assertions.assertNotNull((Boolean) cheap);
    }
}
