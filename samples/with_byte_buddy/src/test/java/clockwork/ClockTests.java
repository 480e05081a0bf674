package clockwork;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.instrument.Instrumentation;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ClockTests {
    private static Instrumentation instrumentation;
    private static ClassReloadingStrategy reloading;

    private final Clock clock = new Clock();

    @BeforeAll
    static void install() {
        instrumentation = ByteBuddyAgent.install();
        reloading = ClassReloadingStrategy.fromInstalledAgent();
    }

    @AfterEach
    void restore() throws Exception {
        reloading.reset(Clock.class);
    }

    @Test
    void strikesThree() {
        assertEquals("dong dong dong", clock.strike(3));
    }

    @Test
    void redefinedOnMarsADayIsLonger() {
        new ByteBuddy()
                .redefine(Clock.class)
                .method(named("hoursPerDay"))
                .intercept(FixedValue.value(25))
                .make()
                .load(Clock.class.getClassLoader(), reloading);
        assertEquals(25, clock.hoursPerDay());
        assertEquals("dong", clock.strike(1));
    }

    @Test
    void restoredOnEarthItIsNot() {
        assertEquals(24, clock.hoursPerDay());
    }

    @Test
    void advisedItStrikesTwice() {
        new ByteBuddy()
                .redefine(Clock.class)
                .visit(Advice.to(Echo.class).on(named("strike")))
                .make()
                .load(Clock.class.getClassLoader(), reloading);
        assertEquals("dong, dong", clock.strike(1));
    }

    @Test
    void itsAgentMayRedefineClasses() {
        assertTrue(instrumentation.isRedefineClassesSupported());
        assertTrue(instrumentation.isModifiableClass(Clock.class));
    }

    static class Echo {
        @Advice.OnMethodExit
        static void twice(@Advice.Return(readOnly = false) String sound) {
            sound = sound + ", " + sound;
        }
    }
}
