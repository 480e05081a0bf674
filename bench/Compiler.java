import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles a Maven project's sources again and again in one warm JVM: a line `compile` in, `ok` or `failed` out.
 * Takes the project, its libraries and a release of Java.
 */
public class Compiler {
    public static void main(String[] args) throws Exception {
        Path project = Paths.get(args[0]);
        String libraries = args[1];
        String release = args[2];
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        while (in.readLine() != null) {
            Path classes = project.resolve("target/classes");
            Path tests = project.resolve("target/test-classes");
            boolean ok = compile(project.resolve("src/main/java"), classes, libraries, release)
                && compile(project.resolve("src/test/java"), tests, classes + ":" + libraries, release);
            System.out.println(ok ? "ok" : "failed");
        }
    }

    private static boolean compile(Path sources, Path into, String classPath, String release) throws Exception {
        if (Files.exists(into)) {
            try (Stream<Path> old = Files.walk(into)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(into);
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(path -> path.toString().endsWith(".java"))
                .filter(path -> !path.endsWith("module-info.java"))
                .sorted()
                .collect(Collectors.toList());
        }
        List<String> options = new ArrayList<>(List.of("-nowarn", "-proc:none", "-g", "-encoding", "UTF-8"));
        options.addAll(List.of("--release", release));
        options.addAll(List.of("-d", into.toString(), "-cp", classPath));
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = javac.getStandardFileManager(null, null, null)) {
            StringWriter complaints = new StringWriter();
            boolean ok = javac.getTask(complaints, manager, null, options, null,
                manager.getJavaFileObjectsFromPaths(files)).call();
            if (!ok) {
                System.err.println(complaints);
            }
            return ok;
        }
    }
}
