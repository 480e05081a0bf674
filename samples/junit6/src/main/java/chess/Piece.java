package chess;

/** How the pieces move on an empty board. */
public enum Piece {
    ROOK, BISHOP, KNIGHT;

    public boolean reaches(Square from, Square to) {
        int files = Math.abs(from.file() - to.file());
        int ranks = Math.abs(from.rank() - to.rank());
        return switch (this) {
            case ROOK -> (files == 0) != (ranks == 0);
            case BISHOP -> files == ranks && files > 0;
            case KNIGHT -> files * ranks == 2;
        };
    }
}
