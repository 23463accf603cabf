package io.slotwise.demo;

import io.quarkus.runtime.Quarkus;
import io.slotwise.demo.DemoHost.Stop;
import io.slotwise.kubernetes.bind.BarrierObserver;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.CurrentSettings;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGeneratorFactory;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Creates a demo from the properties {@code slotwise.demo.*}. */
@Singleton
final class DemoComponents {
    /** A Tuesday in winter, early in the morning. */
    private static final Instant BEGIN = Instant.parse("2030-01-15T06:00:00Z");

    /** Longer than any demo. */
    private static final Duration EVER = Duration.ofDays(365);

    @Produces
    @Singleton
    @Typed(DemoHost.class)
    DemoHost host(
            Properties properties,
            CurrentSettings settings,
            MetricsRecorder recorder,
            BarrierObserver observer,
            DemoLog log) {
        LivingDemo demo = new LivingDemo(
                new LivingDemo.Setting(properties.nodes, BEGIN),
                settings,
                recorder,
                counted(observer, log),
                RandomGeneratorFactory.of("L64X128MixRandom").create(properties.seed));
        return new DemoHost(demo, new DemoSpeed(BEGIN, properties.speed, System::nanoTime), properties.stop(log));
    }

    @Produces
    @Singleton
    DemoLog chronicle(MetricsRecorder recorder) {
        return new DemoLog(System.out, BEGIN, recorder::promises);
    }

    private static DemoListener counted(BarrierObserver observer, DemoListener listener) {
        return new DemoListener() {
            @Override
            public void opened(GangRecord record, long second) {
                long promised =
                        Objects.requireNonNull(record.promise()).window().start();
                observer.opened(record.gang(), Instant.ofEpochSecond(promised), Instant.ofEpochSecond(second));
                listener.opened(record, second);
            }

            @Override
            public void told(Instant when, String what, String subject, String words) {
                listener.told(when, what, subject, words);
            }
        };
    }

    /** The properties of a demo. */
    @Singleton
    static final class Properties {
        private final int nodes;
        private final long seed;
        private final int speed;
        private final Optional<Duration> time;
        private final Optional<Duration> pause;

        Properties(
                @ConfigProperty(name = "slotwise.demo.nodes", defaultValue = "40") int nodes,
                @ConfigProperty(name = "slotwise.demo.seed", defaultValue = "1") long seed,
                @ConfigProperty(name = "slotwise.demo.speed", defaultValue = "60") int speed,
                @ConfigProperty(name = "slotwise.demo.for") Optional<Duration> time,
                @ConfigProperty(name = "slotwise.demo.pause-after") Optional<Duration> pause) {
            this.nodes = nodes;
            this.seed = seed;
            this.speed = speed;
            this.time = time;
            this.pause = pause;
        }

        private Stop stop(DemoLog log) {
            return pause.map(after -> new Stop(BEGIN.plus(after), true, log::paused, log::close))
                    .orElseGet(() -> new Stop(BEGIN.plus(time.orElse(EVER)), false, Quarkus::asyncExit, log::close));
        }
    }
}
