package io.slotwise.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockAgentTest {
    /** Defines the program's own class with changed bytes. */
    private static final class Loader extends ClassLoader {
        Loader() {
            super(ClockAgentTest.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(ClockAgent.OWNER.replace('/', '.'), bytes, 0, bytes.length);
        }
    }

    @TempDir
    private Path folder;

    @Test
    void theProgramsClockIsTheOneThatIsStepped() throws IOException, ReflectiveOperationException {
        SteppedClock clock = new SteppedClock(folder.resolve("clock"));
        System.getProperties().put(ClockAgent.KEY, clock);
        try {
            Class<?> changed = new Loader().define(ClockAgent.withSteppedClock(bytes(ClockAgent.OWNER)));
            Constructor<?> constructor = changed.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method method = changed.getDeclaredMethod(ClockAgent.METHOD);
            method.setAccessible(true);

            assertThat(method.invoke(constructor.newInstance())).isSameAs(clock);
        } finally {
            System.getProperties().remove(ClockAgent.KEY);
        }
    }

    @Test
    void aProgramThatHasItsTimeFromElsewhereIsRefused() throws IOException {
        byte[] other = bytes("io/slotwise/it/faults/ClockAgentTest");

        assertThatThrownBy(() -> ClockAgent.withSteppedClock(other))
                .hasMessageContaining("does not call InstantSource.system()");
    }

    @Test
    void aStepIsSeenByEveryProcessThatMapsTheFile() {
        SteppedClock writer = new SteppedClock(folder.resolve("shared"));
        SteppedClock reader = new SteppedClock(folder.resolve("shared"));

        writer.step(Duration.ofSeconds(-50));

        assertThat(Duration.between(reader.instant(), InstantSource.system().instant()))
                .isBetween(Duration.ofSeconds(49), Duration.ofSeconds(51));
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                ClockAgentTest.class.getClassLoader().getResourceAsStream(name + ".class"), name)) {
            return in.readAllBytes();
        }
    }
}
