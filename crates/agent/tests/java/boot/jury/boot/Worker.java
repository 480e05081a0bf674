package jury.boot;

/** Stands in for the real worker: says how long each command is, and hangs on an empty one. */
public class Worker {
    public static void main(String[] arguments) {
        for (byte[] command = Channel.receive(); command != null; command = Channel.receive()) {
            Hooks.say("command of " + command.length);
            while (command.length == 0) {
                Thread.yield();
            }
        }
    }
}
