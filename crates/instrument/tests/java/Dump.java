import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Writes every n-th class of the running JDK's image into a pack. */
public final class Dump {
    public static void main(String[] args) throws IOException {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        int every = Integer.parseInt(args[1]);
        List<Path> classes;
        try (Stream<Path> files = Files.walk(modules)) {
            classes = files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class"))
                    .sorted()
                    .toList();
        }
        List<Pack.Entry> chosen = new ArrayList<>();
        for (int i = 0; i < classes.size(); i += every) {
            Path file = classes.get(i);
            String name = modules.relativize(file).toString();
            int slash = name.indexOf('/');
            String vmName = name.substring(slash + 1, name.length() - ".class".length());
            chosen.add(new Pack.Entry(name.substring(0, slash), vmName, Files.readAllBytes(file)));
        }
        Pack.write(Path.of(args[0]), chosen);
    }
}
