import java.io.BufferedReader;
import java.io.InputStreamReader;
import javax.tools.ToolProvider;

/** Compiles what each line of input asks for, so that many small sources cost one JVM. */
class CompileServer {
    public static void main(String[] args) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var requests = new BufferedReader(new InputStreamReader(System.in));
        for (String request; (request = requests.readLine()) != null; ) {
            int status = compiler.run(null, System.err, System.err, request.split("\t"));
            System.out.println(status == 0 ? "compiled" : "failed");
        }
    }
}
