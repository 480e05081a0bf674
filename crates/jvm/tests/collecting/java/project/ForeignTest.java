package project;

import java.lang.reflect.Array;

/** By reflection, since older JDKs lack what it calls. */
public class ForeignTest {
    public void callsNativeCode() throws Exception {
        Class<?> linker;
        try {
            linker = Class.forName("java.lang.foreign.Linker");
        } catch (ClassNotFoundException older) {
            return;
        }
        Class<?> descriptor = Class.forName("java.lang.foreign.FunctionDescriptor");
        Object layouts = Array.newInstance(Class.forName("java.lang.foreign.MemoryLayout"), 0);
        Object options = Array.newInstance(Class.forName("java.lang.foreign.Linker$Option"), 0);
        Object nothing =
                descriptor.getMethod("ofVoid", layouts.getClass()).invoke(null, layouts);
        linker.getMethod("downcallHandle", descriptor, options.getClass())
                .invoke(linker.getMethod("nativeLinker").invoke(null), nothing, options);
    }
}
