package teashop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;

/** The teas on sale, read from a text file: name, price and grams, parted by semicolons. */
public class PriceList {
    private final Map<String, Tea> teas = new LinkedHashMap<>();

    public static PriceList read(Path file) throws IOException {
        PriceList list = new PriceList();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                list.add(parse(line));
            }
        }
        return list;
    }

    static Tea parse(String line) {
        String[] fields = line.split(";");
        if (fields.length != 3) {
            throw new IllegalArgumentException("not a price line: " + line);
        }
        int grams = Integer.parseInt(fields[2].trim());
        return new Tea(fields[0].trim(), Money.parse(fields[1]), grams);
    }

    public void add(Tea tea) {
        teas.put(tea.getName(), tea);
    }

    public Tea find(String name) {
        Tea tea = teas.get(name);
        if (tea == null) {
            throw new NoSuchElementException("we do not sell " + name);
        }
        return tea;
    }

    public int size() {
        return teas.size();
    }
}
