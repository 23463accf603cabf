package io.slotwise.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slotwise.demo.DemoHost.Stop;
import io.slotwise.demo.LivingDemo.Setting;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.Unheard;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PausedDemoTest {
    private static final Instant BEGIN = Instant.parse("2030-01-15T06:00:00Z");
    private static final Duration TIME = Duration.ofMinutes(20);

    private final AtomicInteger reached = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    private static final class Audience extends Unheard implements DemoListener {
        @Override
        public void told(Instant when, String what, String subject, String words) {}
    }

    private DemoHost host(int speed, boolean stays) {
        Audience audience = new Audience();
        LivingDemo demo = new LivingDemo(
                new Setting(5, BEGIN),
                CurrentSettings.fixed(LoopSettings.EXACT),
                audience,
                audience,
                RandomGeneratorFactory.of("L64X128MixRandom").create(1));
        DemoHost host = new DemoHost(
                demo,
                new DemoSpeed(BEGIN, speed, System::nanoTime),
                new Stop(BEGIN.plus(TIME), stays, reached::incrementAndGet, ended::incrementAndGet));
        host.start();
        await().untilAsserted(() -> assertThat(reached).hasValue(1));
        return host;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100_000})
    void aPausedDemoStopsItsClockAndStillServesItsPages(int speed) {
        try (DemoHost host = host(speed, true)) {
            Instant now = host.clock().instant();

            assertThat(now).isBetween(BEGIN.plus(TIME).minusSeconds(60), BEGIN.plus(TIME));
            assertThat(host.clock().instant()).isEqualTo(now);
            assertThat(host.speed()).isZero();
            assertThat(host.alive()).isTrue();
            assertThat(host.view().records()).isNotEmpty();
        }
    }

    @Test
    void aDemoThatIsClosedTwiceSaysItsLastLineOnce() {
        DemoHost host = host(0, true);

        host.close();
        host.close();

        assertThat(ended).hasValue(1);
    }

    @Test
    void aDemoThatHasComeToItsEndIsNotAlive() {
        try (DemoHost host = host(0, false)) {
            await().untilAsserted(() -> assertThat(host.alive()).isFalse());
        }
    }
}
