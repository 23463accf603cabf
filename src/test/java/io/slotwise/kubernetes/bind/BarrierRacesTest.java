package io.slotwise.kubernetes.bind;

import static io.slotwise.kubernetes.bind.BarrierFixture.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.bind.BindApi.BindAnswer;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.live.record.Phase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Arrivals, the promised second, the timeout and a new plan in every order, on real threads. Proves that all pods are
 * bound or none.
 */
@Timeout(120)
class BarrierRacesTest {
    private static final int PODS = 8;

    @Test
    void bindsAllOrNoneInAnyOrder() throws Exception {
        int whole = 0;
        for (long seed = 0; seed < 200; seed++) {
            if (race(new SplittableRandom(seed))) {
                whole++;
            }
        }
        assertThat(whole).isBetween(1, 199);
    }

    private static boolean race(SplittableRandom random) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            BarrierFixture fixture = new BarrierFixture(threads);
            AtomicBoolean rewritten = new AtomicBoolean();
            AtomicBoolean marked = new AtomicBoolean();
            fixture.view.put(new ReservationBuilder().pods(PODS).build());
            // At the API server the first write wins.
            fixture.api.reading = () -> new BindApi.ReservationAnswer.Absent();
            fixture.api.binding("g-0", () -> {
                synchronized (rewritten) {
                    marked.set(!rewritten.get());
                    return marked.get()
                            ? fixture.api.reallyBind("g-0", ReservationBuilder.node(0))
                            : new BindAnswer.Conflict("the object has been modified");
                }
            });
            List<Runnable> steps = new ArrayList<>();
            ConcurrentLinkedQueue<CompletableFuture<BindOutcome>> calls = new ConcurrentLinkedQueue<>();
            for (int pod = 0; pod < PODS; pod++) {
                int number = pod;
                steps.add(() -> calls.add(fixture.arrive(number)));
            }
            int again = random.nextInt(PODS);
            steps.add(() -> calls.add(fixture.arrive(again)));
            steps.add(() -> fixture.time.advanceTo(START));
            if (random.nextBoolean()) {
                steps.add(() -> {
                    synchronized (rewritten) {
                        if (marked.get()) {
                            return;
                        }
                        rewritten.set(true);
                    }
                    fixture.view.put(new ReservationBuilder()
                            .pods(PODS)
                            .phase(Phase.PROMISED)
                            .version(2)
                            .build());
                });
            }
            Collections.shuffle(steps, random);
            run(steps, threads);
            fixture.time.advanceTo(START.plusSeconds(1));
            settle(fixture, calls);

            assertThat(fixture.api.bound().size()).isIn(0, PODS);
            assertThat(fixture.api.bound().size()).isEqualTo(marked.get() ? PODS : 0);
            assertThat(fixture.repairs).isEmpty();
            return marked.get();
        }
    }

    private static void run(List<Runnable> steps, ExecutorService threads) throws InterruptedException {
        CountDownLatch together = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(steps.size());
        for (Runnable step : steps) {
            threads.execute(() -> {
                try {
                    together.await();
                    step.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    done.countDown();
                }
            });
        }
        together.countDown();
        done.await();
    }

    /** Waits until every call is answered, by the bindings or at the latest by the timeout. */
    private static void settle(BarrierFixture fixture, Iterable<CompletableFuture<BindOutcome>> calls)
            throws Exception {
        for (CompletableFuture<BindOutcome> call : calls) {
            var _ = call.completeOnTimeout(new BindOutcome.NotBound("not yet"), 2, TimeUnit.SECONDS)
                    .get();
        }
        fixture.time.advanceTo(START.plusSeconds(20));
    }
}
