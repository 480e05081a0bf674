package teashop;

/** One kind of tea on the shelf. */
public class Tea {
    private final String name;
    private final Money price;
    private final int grams;

    public Tea(String name, Money price, int grams) {
        if (grams <= 0) {
            throw new IllegalArgumentException("an empty tin of " + name);
        }
        this.name = name;
        this.price = price;
        this.grams = grams;
    }

    public String getName() {
        return name;
    }

    public Money getPrice() {
        return price;
    }

    public int getGrams() {
        return grams;
    }
}
