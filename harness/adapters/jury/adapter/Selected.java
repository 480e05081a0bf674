package jury.adapter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import jury.boot.Invocations;

/**
 * What is wanted of one TestNG method name: some rows, or everything. TestNG can select rows of a
 * method with parameters, but neither repetitions of one without nor one overload of several; there
 * everything of that name runs.
 */
final class Selected {
    private final Set<String> signatures = new HashSet<>();
    private final Set<Integer> rows = new TreeSet<>();

    void add(String id) {
        int end = id.lastIndexOf(')') + 1;
        signatures.add(id.substring(0, end));
        int close = id.indexOf(']', end);
        if (close > 0) {
            rows.add(Integer.valueOf(id.substring(end + 1, close)));
        }
    }

    /** TestNG's indices of the wanted rows, empty for all; tells the hooks what will come. */
    List<Integer> announceRows() {
        String signature = signatures.size() == 1 ? signatures.iterator().next() : "()";
        if (signature.endsWith("()") || rows.isEmpty()) {
            return Collections.emptyList();
        }
        Invocations.announce(signature, rows.stream().mapToInt(Integer::intValue).toArray());
        List<Integer> indices = new ArrayList<>();
        for (int row : rows) {
            indices.add(row - 1);
        }
        return indices;
    }
}
