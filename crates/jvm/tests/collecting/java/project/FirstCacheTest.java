package project;

public class FirstCacheTest {
    public void asksOftenForTheSame() {
        for (String key : new String[] {"first", "second"}) {
            for (int times = 0; times < 12; times++) {
                CacheTool.of(key);
            }
        }
    }
}
