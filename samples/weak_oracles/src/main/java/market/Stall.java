package market;

import java.util.ArrayList;
import java.util.List;

/** A stall on a market. Each of its deeds leaves a trace that somebody could look at. */
public class Stall {
    private final List<String> basket = new ArrayList<>();
    private final Till till = new Till();
    private int apples;
    private double weight;
    private boolean open;
    private String sign = "Fruit";
    private long visitors;

    public void pick() {
        apples++;
    }

    public void weigh() {
        weight += 1.5;
    }

    public void pack() {
        basket.add("apple");
    }

    public void raiseShutter() {
        open = true;
        weight = weight + 0.0;
    }

    public void repaint() {
        sign = sign + "!";
    }

    public void greet() {
        visitors++;
    }

    /** What it changes lies two fields away. */
    public void sell() {
        till.take(3);
    }

    public int apples() {
        return apples;
    }

    public double weight() {
        return weight;
    }

    public List<String> basket() {
        return basket;
    }

    public boolean isOpen() {
        return open;
    }

    public String sign() {
        return sign;
    }

    public long visitors() {
        return visitors;
    }

    public Till till() {
        return till;
    }
}
