package sets;

import java.util.ArrayList;

/** A set that counts how often it has changed. */
public class VersionedSet {
    private long version;
    private ArrayList<Object> elements = new ArrayList<>();

    public void add(Object element) {
        if (elements.contains(element)) {
            return;
        }
        elements.add(element);
        incrementVersion();
    }

    private void incrementVersion() {
        version++;
    }

    protected long getVersion() {
        return version;
    }

    public int size() {
        return elements.size();
    }

    public boolean contains(Object element) {
        return elements.contains(element);
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public boolean equals(Object object) {
        if (!(object instanceof VersionedSet)) {
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
        VersionedSet result = new VersionedSet();
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
