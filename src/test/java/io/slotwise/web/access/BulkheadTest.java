package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BulkheadTest {
    @Test
    void oneOfTenParallelCallersIsServedAndOthersAreToldToRetry() throws InterruptedException, ExecutionException {
        Bulkhead turn = new Bulkhead(Duration.ofMillis(20));
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = callers.submit(() -> turn.take(() -> {
                working.countDown();
                return afterwards(end);
            }));
            working.await();

            List<Future<String>> others = IntStream.range(0, 9)
                    .mapToObj(_ -> callers.submit(() -> turn.take(() -> "another")))
                    .toList();

            for (Future<String> other : others) {
                assertThatThrownBy(other::get)
                        .hasCauseInstanceOf(Bulkhead.Busy.class)
                        .hasMessageContaining("too many requests at once; try again in a moment");
            }
            end.countDown();
            assertThat(first.get()).isEqualTo("the first");
            assertThat(turn.take(() -> "the next")).isEqualTo("the next");
        }
    }

    private static String afterwards(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "the first";
    }
}
