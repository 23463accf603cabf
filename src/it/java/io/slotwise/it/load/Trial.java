package io.slotwise.it.load;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.slotwise.it.ControlPlane;
import io.slotwise.it.Installation;
import io.slotwise.it.RunRecord;
import io.slotwise.it.SlotwiseProcess;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One contender with one load on a control plane of its own: everything is created first, then the programs are started. */
final class Trial {
    private static final int CREATORS = 16;

    private final InstantSource clock = InstantSource.system();
    private final Load load;
    private final Contender contender;
    private final Map<String, String> values;
    private final Duration patience;
    private final PrintStream log;

    /**
     * A trial.
     *
     * @param values of the chart, by their names
     * @param patience after which it is over, whatever has been bound
     * @param log for what goes on
     */
    Trial(Load load, Contender contender, Map<String, String> values, Duration patience, PrintStream log) {
        this.load = load;
        this.contender = contender;
        this.values = Map.copyOf(values);
        this.patience = patience;
        this.log = log;
    }

    /** What was measured: by the API server, and by Slotwise of itself, which is null for another contender. */
    record Measured(Outcome outcome, @Nullable Inside inside) {}

    Measured run() {
        try (ControlPlane plane = ControlPlane.startWithoutControllers("bench-" + contender.key())) {
            Installation chart = contender.install(plane, values);
            create(plane);
            log.printf("%s: %s are created; starting it%n", contender.key(), load);
            Instant began = clock.instant();
            SlotwiseProcess slotwise = contender.start(chart);
            await(plane, began.plus(patience));
            Inside inside = slotwise == null ? null : Inside.of(slotwise);
            return new Measured(Outcome.of(RunRecord.of(plane.audit(), Load.NAMESPACE), load, began), inside);
        }
    }

    private void create(ControlPlane plane) {
        plane.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(Load.NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        createAll(plane, load.machines());
        createAll(plane, load.residents());
        createAll(plane, load.pods(clock.instant()));
    }

    private static void createAll(ControlPlane plane, Stream<? extends HasMetadata> objects) {
        try (ExecutorService creators = Executors.newFixedThreadPool(CREATORS)) {
            List<Future<?>> created = new ArrayList<>();
            objects.forEach(object -> created.add(
                    creators.submit(() -> plane.client().resource(object).create())));
            for (Future<?> future : created) {
                var _ = future.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Waits until every pod of a gang is bound, and has ended where it does so soon; the log alone is read, so that nobody is disturbed. */
    private void await(ControlPlane plane, Instant deadline) {
        try (Tail audit = new Tail(plane.logs().resolve("audit.jsonl"))) {
            while (clock.instant().isBefore(deadline) && !isOver(audit)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            }
        }
    }

    private boolean isOver(Tail audit) {
        audit.read();
        return load.isShort() ? audit.ended() >= load.pods() : audit.bound() >= load.pods();
    }
}
