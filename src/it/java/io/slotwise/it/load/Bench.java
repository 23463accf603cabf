package io.slotwise.it.load;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.it.AuditLog.Entry;
import io.slotwise.it.ControlPlane;
import io.slotwise.it.load.Load.Shape;
import io.slotwise.it.load.Processors.Reading;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A control plane with a load's nodes, on which a scheduler's programs are measured. Closing it ends all programs. */
final class Bench implements AutoCloseable {
    private static final int CREATORS = 16;
    /** After this long without a write, all writes are done. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final InstantSource clock = InstantSource.system();
    private final Load load;
    private final Contender contender;
    private final Course course;
    private final PrintStream log;
    private final ControlPlane plane;
    private final Programs programs;

    /** Starts a control plane, creates the nodes and the running pods, and installs what the scheduler needs. */
    Bench(Load load, Contender contender, Course course, PrintStream log) {
        this.load = load;
        this.contender = contender;
        this.course = course;
        this.log = log;
        this.plane = ControlPlane.startForLoad("bench-" + contender.key(), contender.featureGates());
        this.programs = new Programs(contender, plane, course.values());
        try {
            fill();
            programs.install();
        } catch (RuntimeException e) {
            plane.close();
            throw e;
        }
    }

    ControlPlane plane() {
        return plane;
    }

    Programs programs() {
        return programs;
    }

    Instant now() {
        return clock.instant();
    }

    /** Objects that exist before the chart is installed do not pass its admission policies. */
    private void fill() {
        Instant began = now();
        for (String namespace : List.of(Load.NAMESPACE, Load.WARM_UP)) {
            plane.client()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
        }
        create(load.machines());
        create(load.residents());
        say(
                "%,d nodes and %,d pods that run already are there after %d s",
                load.nodes(), load.standing(), Duration.between(began, now()).toSeconds());
    }

    /** Creates objects in parallel, and returns when all exist. */
    void create(Stream<? extends HasMetadata> objects) {
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

    /** Creates the pods of gangs, and first what else the scheduler must know of a gang. */
    void createGangs(Stream<Pod> pods) {
        if (contender != Contender.KUBE_SCHEDULER_GANGS) {
            create(pods);
            return;
        }
        List<Pod> all = pods.toList();
        create(PodGroups.of(all));
        create(all.stream().map(PodGroups::member));
    }

    /** Starts the programs and waits until they wait for pods, after a first wave of gangs if the course has one. */
    void startAndWarmUp() {
        programs.start();
        programs.awaitCalm();
        Shape wave = course.warmUp();
        if (wave == null) {
            return;
        }
        try (Tail audit = tail(Load.WARM_UP)) {
            createGangs(load.warmUp(wave));
            int pods = wave.gangs() * wave.size();
            if (!await(audit, () -> audit.ended() >= pods, now().plus(course.patience()))) {
                say("only %d of the %d pods of the first wave have run; going on", audit.ended(), pods);
            }
            plane.client().pods().inNamespace(Load.WARM_UP).delete();
            awaitQuiet(audit, now().plus(course.patience()), () -> {});
        }
        programs.awaitCalm();
        say("warmed up by %s", wave);
    }

    Tail tail(String namespace) {
        Tail tail = new Tail(audit(), namespace);
        tail.read();
        return tail;
    }

    private Path audit() {
        return plane.logs().resolve("audit.jsonl");
    }

    List<Entry> entries(Instant began) {
        return plane.audit().entries(entry -> !entry.received().isBefore(began));
    }

    /** Waits for a condition of the log, and returns whether it held in time. */
    boolean await(Tail audit, BooleanSupplier condition, Instant deadline) {
        return await(audit, condition, deadline, () -> {});
    }

    /**
     * Waits in the same way, and runs {@code meanwhile} at each look, five times a second. Only the log is read, so
     * that no program is disturbed.
     */
    boolean await(Tail audit, BooleanSupplier condition, Instant deadline, Runnable meanwhile) {
        while (true) {
            audit.read();
            meanwhile.run();
            if (condition.getAsBoolean()) {
                return true;
            }
            if (!now().isBefore(deadline)) {
                return false;
            }
            programs.requireRunning();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    /** Waits until nothing has been written for some seconds. */
    boolean awaitQuiet(Tail audit, Instant deadline, Runnable meanwhile) {
        Quiet quiet = new Quiet(now(), audit.writes());
        return await(audit, () -> quiet.isReached(now(), audit.writes()), deadline, meanwhile);
    }

    /** Reads the processor time of the API server and the measured scheduler. */
    Reading reading() {
        return new Reading(now(), plane.running("kube-apiserver").processorTime(), programs.processorTime());
    }

    @SuppressWarnings("AnnotateFormatMethod")
    void say(String text, Object... arguments) {
        log.println(contender.key() + ": " + String.format(Locale.ROOT, text, arguments));
    }

    @Override
    public void close() {
        plane.close();
    }

    /** The time since the last write. */
    private static final class Quiet {
        private Instant since;
        private int writes;

        Quiet(Instant since, int writes) {
            this.since = since;
            this.writes = writes;
        }

        boolean isReached(Instant now, int count) {
            if (count != writes) {
                writes = count;
                since = now;
            }
            return Duration.between(since, now).compareTo(QUIET) >= 0;
        }
    }
}
