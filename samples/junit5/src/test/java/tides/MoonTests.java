package tides;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Dynamic tests: a flat list, a stream of nested containers, a single node. */
class MoonTests {
    @TestFactory
    List<DynamicTest> springTides() {
        return List.of(
                dynamicTest("new moon", () -> assertTrue(Moon.NEW.bringsSpringTide())),
                dynamicTest("full moon", () -> assertTrue(Moon.FULL.bringsSpringTide())));
    }

    @TestFactory
    Stream<DynamicNode> phases() {
        return Stream.of(Moon.values())
                .map(moon -> dynamicContainer("☾ " + moon, Stream.of(
                        dynamicTest("moves on", () -> assertNotEquals(moon, moon.next())),
                        dynamicContainer("a month later", Stream.of(
                                dynamicTest("is back", () -> assertSame(moon, afterAMonth(moon))))))));
    }

    @TestFactory
    DynamicNode eclipse() {
        return dynamicTest("eclipse", () -> {
            assumeFalse(Moon.FULL.bringsSpringTide(), "no eclipse this month");
            assertEquals(Moon.FULL, Moon.NEW);
        });
    }

    private static Moon afterAMonth(Moon moon) {
        return moon.next().next().next().next();
    }
}
