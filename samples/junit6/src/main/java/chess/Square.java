package chess;

/** A square of the board, files and ranks counted from 1. */
public record Square(int file, int rank) {
    public Square {
        if (file < 1 || file > 8 || rank < 1 || rank > 8) {
            throw new IllegalArgumentException("off the board: " + file + ", " + rank);
        }
    }

    public static Square of(String name) {
        return new Square(name.charAt(0) - 'a' + 1, name.charAt(1) - '0');
    }

    public boolean isDark() {
        return (file + rank) % 2 == 0;
    }

    @Override
    public String toString() {
        return "" + (char) ('a' + file - 1) + rank;
    }
}
