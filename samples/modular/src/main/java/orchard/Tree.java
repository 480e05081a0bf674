package orchard;

import orchard.internal.Season;

/** An apple tree. */
public class Tree {
    private final int age;

    public Tree(int age) {
        this.age = age;
    }

    public int applesIn(int month) {
        return Season.of(month) == Season.AUTUMN && age > 3 ? age * 10 : 0;
    }
}
