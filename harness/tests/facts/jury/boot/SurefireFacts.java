package jury.boot;

import java.io.File;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What becomes of a mojo that would run tests inside Maven. */
final class SurefireFacts {
    private SurefireFacts() {}

    /** As from Surefire 2.14 on. */
    private static class Mojo {
        private String forkCount;
        private boolean reuseForks;
        private int effectiveForkCount = -1;
        private String argLine = "-Xmx1m";
        private Map<String, String> environmentVariables = Collections.singletonMap("A", "b");
        private Properties systemProperties = new Properties();
        private Map<String, String> systemPropertyVariables =
                Collections.singletonMap("set.twice", "by build file");
        private File workingDirectory = new File("/p/core");
        private String jvm = "/no/such/java";

        Mojo(String forkCount) {
            this.forkCount = forkCount;
        }

        protected boolean isForking() {
            if (effectiveForkCount < 0) {
                effectiveForkCount = Integer.parseInt(forkCount);
            }
            return effectiveForkCount > 0;
        }
    }

    private static final class Plugin extends Mojo {
        Plugin(String forkCount) {
            super(forkCount);
        }
    }

    /** As until Surefire 2.13. */
    private static final class OldMojo {
        private String forkMode = "never";

        boolean isForkModeNever() {
            return forkMode.equals("never");
        }
    }

    static void forks() {
        System.setProperty("set.by.plugin", "1");
        System.setProperty("set.twice", "by plugin");
        System.setProperty("jansi.mode", "strip");
        Mojo mojo = new Plugin("0");
        mojo.systemProperties.setProperty("old", "way");
        Hooks.entered(Hooks.SUREFIRE_CHOOSES_DIRECTORY, mojo, null, null);
        System.out.println(mojo.workingDirectory);
        Hooks.entered(Hooks.SUREFIRE_FORKS, mojo, null, null);
        System.out.println(mojo.forkCount + " " + mojo.reuseForks + " " + mojo.isForking());
        System.out.println("[" + mojo.argLine + "] " + mojo.environmentVariables);
        System.out.println(new TreeMap<>(mojo.systemPropertyVariables));
        Hooks.entered(Hooks.SUREFIRE_CHOOSES_DIRECTORY, mojo, null, null);
        File here = new File(System.getProperty("user.dir"));
        System.out.println(mojo.workingDirectory.equals(here));
        System.out.println(mojo.jvm.equals(System.getProperty("java.home") + "/bin/java"));
    }

    static void forksInOldReleases() {
        OldMojo mojo = new OldMojo();
        Hooks.entered(Hooks.SUREFIRE_FORKS, mojo, null, null);
        System.out.println(mojo.forkMode);
    }

    static void leavesForksAlone() {
        Mojo mojo = new Plugin("2");
        Hooks.entered(Hooks.SUREFIRE_CHOOSES_JVM, mojo, null, null);
        Hooks.entered(Hooks.SUREFIRE_FORKS, mojo, null, null);
        Hooks.entered(Hooks.SUREFIRE_CHOOSES_DIRECTORY, mojo, null, null);
        Hooks.entered(Hooks.SUREFIRE_KEEPS, mojo, null, null);
        System.out.println(mojo.forkCount + " " + mojo.argLine + " " + mojo.workingDirectory);
        System.out.println(mojo.jvm);
    }

    static void keeps() {
        Mojo mojo = new Plugin("0");
        Hooks.entered(Hooks.SUREFIRE_KEEPS, mojo, null, null);
        System.out.println(mojo.forkCount);
    }

    static void flagsInOneLine() {
        System.out.println(
                SurefireFork.argLine(
                        Arrays.asList("-Xmx1g", "-Da=b c", "-Dq=\"", "-Dbad=\"'", "-Dset=1", "-Don"),
                        Collections.singleton("set")));
    }
}
