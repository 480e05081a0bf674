package teashop;

import java.util.Set;
import java.util.TreeSet;

/** Who wants to hear of the new harvest. */
public class Newsletter {
    private final Set<String> addresses = new TreeSet<>();

    public boolean subscribe(String address) {
        return address.contains("@") && addresses.add(address.toLowerCase());
    }

    public String greeting(Tea harvest) {
        return "The new " + harvest.getName() + " is here, dear " + addresses.size() + " friends.";
    }
}
