package kitchen;

/** Scales with the number of guests. */
public record Recipe(String ingredient, int perGuest) {
    public boolean cook(Pantry pantry, int guests) {
        return pantry.take(ingredient, perGuest * guests);
    }
}
