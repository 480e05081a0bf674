package letters;

/** Emptied by the postman; final, so that only a rewriting mock can stand in for it. */
public final class Postbox {
    public int letters() {
        throw new IllegalStateException("needs a real postbox");
    }

    public void empty() {
        throw new IllegalStateException("needs a real postbox");
    }
}
