import java.util.ArrayList;

/** The example of the literature: seven transformations, three of them in boolean methods. */
public class VersionedSet {
    private long version;
    private ArrayList<Object> elements = new ArrayList<>();

    public void add(Object element) {
        if (elements.contains(element)) { // mutants: void
            return;
        }
        elements.add(element);
        incrementVersion();
    }

    private void incrementVersion() {
        version++; // mutants: void
    }

    protected long getVersion() {
        return version; // stop: getter
    }

    public int size() {
        return elements.size(); // stop: delegate
    }

    public boolean contains(Object element) {
        return elements.contains(element); // stop: delegate
    }

    public boolean isEmpty() {
        return size() == 0; // mutants: true false
    }

    @Override
    public boolean equals(Object object) {
        if (!(object instanceof VersionedSet)) { // mutants: true false
            return false;
        }
        VersionedSet other = (VersionedSet) object;
        if (size() != other.size()) {
            return false;
        }
        for (Object element : elements) {
            if (!other.contains(element)) {
                return false;
            }
        }
        return true;
    }

    public VersionedSet intersect(VersionedSet other) {
        VersionedSet result = new VersionedSet(); // mutants: null
        if (isEmpty() || other.isEmpty()) {
            return result;
        }
        for (Object element : elements) {
            if (other.contains(element)) {
                result.add(element);
            }
        }
        return result;
    }
}
