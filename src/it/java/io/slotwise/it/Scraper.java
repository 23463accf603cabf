package io.slotwise.it;

import io.slotwise.it.Prometheus.Scrape;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Scrapes replicas of Slotwise as Prometheus does by the chart's ServiceMonitor, but more often. */
final class Scraper implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final InstantSource clock = InstantSource.system();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());
    private final List<Scrape> scrapes = new CopyOnWriteArrayList<>();

    Scraper(List<SlotwiseProcess> replicas) {
        var _ = thread.scheduleAtFixedRate(() -> scrape(replicas), 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The labels of a replica's target. The job is the release's Service. */
    private static Map<String, String> target(int number, SlotwiseProcess replica) {
        return Map.of(
                "job",
                Installation.RELEASE,
                "namespace",
                Installation.RELEASE,
                "pod",
                Installation.RELEASE + "-" + number,
                "instance",
                URI.create(replica.url()).getAuthority());
    }

    private void scrape(List<SlotwiseProcess> replicas) {
        int number = 0;
        for (SlotwiseProcess replica : replicas) {
            scrapes.add(new Scrape(clock.millis(), target(++number, replica), metrics(replica)));
        }
    }

    private static @Nullable String metrics(SlotwiseProcess replica) {
        try {
            return replica.get("/metrics");
        } catch (UncheckedIOException e) {
            return null;
        }
    }

    /** The scrapes so far, by time. */
    List<Scrape> scrapes() {
        return List.copyOf(scrapes);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
