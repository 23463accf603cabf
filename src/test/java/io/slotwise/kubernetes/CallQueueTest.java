package io.slotwise.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slotwise.kubernetes.CallQueue.Rank;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CallQueueTest {
    private final CallQueue queue = new CallQueue(16);
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<String> begun = Collections.synchronizedList(new ArrayList<>());

    @Test
    void theUrgentCallsGoFirst() {
        CallQueue one = new CallQueue(1);
        one.of(Rank.EVENT).execute(() -> waits("first"));
        await().until(() -> begun.size() == 1);
        one.of(Rank.EVENT).execute(() -> begun.add("event"));
        one.of(Rank.RELEASE).execute(() -> begun.add("release"));
        one.of(Rank.RECORD).execute(() -> begun.add("record"));
        one.of(Rank.AWAITED).execute(() -> begun.add("awaited"));
        one.of(Rank.START).execute(() -> begun.add("start"));
        one.of(Rank.BINDING).execute(() -> begun.add("binding"));
        one.of(Rank.BINDING).execute(() -> begun.add("another"));

        end.countDown();

        await().untilAsserted(() -> assertThat(begun)
                .containsExactly("first", "binding", "another", "start", "awaited", "record", "release", "event"));
    }

    @Test
    void fewStartsAreMadeDurableAtATimeAndOthersPassThem() {
        for (int i = 0; i < 6; i++) {
            queue.of(Rank.START).execute(() -> waits("start"));
        }
        queue.of(Rank.EVENT).execute(() -> begun.add("event"));
        await().until(() -> begun.contains("event"));

        assertThat(begun).filteredOn("start"::equals).hasSize(2);

        end.countDown();
        await().until(() -> begun.size() == 7);
    }

    @Test
    void aStartWaitsUntilTheBindingsOfThoseBeforeItAreNearlyThrough() {
        queue.start(20, () -> {
            for (int i = 0; i < 10; i++) {
                queue.of(Rank.BINDING).execute(() -> waits("binding"));
            }
            waits("start");
        });
        await().until(() -> begun.size() == 11);
        queue.start(2, () -> begun.add("next"));
        queue.of(Rank.RECORD).execute(() -> begun.add("record"));
        queue.of(Rank.RELEASE).execute(() -> begun.add("release"));
        await().until(() -> begun.size() == 12);

        assertThat(begun).contains("release").doesNotContain("next", "record");

        end.countDown();
        await().until(() -> begun.containsAll(List.of("next", "record")));
    }

    @Test
    void theFirstStartsHandOnAFewBindingsAndEachAnswerAllowsOneMore() {
        queue.start(4, () -> begun.add("first"));
        await().until(() -> begun.size() == 1);
        CountDownLatch answer = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            queue.of(Rank.BINDING).execute(() -> waits("binding", answer));
        }
        await().until(() -> begun.size() == 5);
        queue.start(7, () -> {
            for (int i = 0; i < 7; i++) {
                queue.of(Rank.BINDING).execute(() -> waits("another"));
            }
            begun.add("second");
        });
        queue.of(Rank.RELEASE).execute(() -> begun.add("release"));
        await().until(() -> begun.contains("release"));
        assertThat(begun).doesNotContain("second");

        answer.countDown();

        await().until(() -> begun.stream().filter("another"::equals).count() == 7);
        queue.start(1, () -> begun.add("third"));
        await().until(() -> begun.contains("third"));
        end.countDown();
    }

    /** Otherwise they would go one after another from then on. */
    @Test
    void allCallsThatWaitedForOneGoAfterItsEnd() {
        CountDownLatch started = new CountDownLatch(1);
        queue.of(Rank.BINDING).execute(() -> waits("binding"));
        queue.start(512, () -> waits("start", started));
        await().until(() -> begun.size() == 2);
        queue.of(Rank.RECORD).execute(() -> waits("record"));
        queue.of(Rank.RECORD).execute(() -> waits("record"));
        assertThat(begun).doesNotContain("record");

        started.countDown();

        await().until(() -> begun.stream().filter("record"::equals).count() == 2);
        end.countDown();
    }

    @Test
    void aStartThatTurnsOutToBringNothingMakesRoomForTheNext() {
        for (int i = 0; i < 5; i++) {
            queue.start(512, () -> begun.add("start"));
        }

        await().until(() -> begun.size() == 5);
    }

    @Test
    void aStartWithoutAnAnswerKeepsNoOtherFromGoing() {
        queue.start(512, () -> waits("hangs"));
        for (int i = 0; i < 5; i++) {
            queue.start(512, () -> begun.add("start"));
        }

        await().until(() -> begun.size() == 6);

        end.countDown();
    }

    /** Otherwise their gangs would be told that they start now, and wait behind the records. */
    @Test
    void recordsAreWrittenOneByOneWhileLargeStartsWait() {
        CountDownLatch first = new CountDownLatch(1);
        queue.start(512, () -> waits("start"));
        await().until(() -> begun.size() == 1);
        queue.of(Rank.RECORD).execute(() -> waits("record", first));
        await().until(() -> begun.size() == 2);
        queue.of(Rank.RECORD).execute(() -> begun.add("another"));
        queue.of(Rank.EVENT).execute(() -> begun.add("event"));
        await().until(() -> begun.contains("event"));
        assertThat(begun).doesNotContain("another");

        first.countDown();

        await().until(() -> begun.contains("another"));
        end.countDown();
    }

    @Test
    void callsThatACycleWaitsForPassStartsAndRecords() {
        queue.start(512, () -> waits("start"));
        await().until(() -> begun.size() == 1);
        queue.of(Rank.RECORD).execute(() -> waits("record"));
        await().until(() -> begun.size() == 2);
        queue.of(Rank.RECORD).execute(() -> begun.add("another"));
        queue.of(Rank.AWAITED).execute(() -> begun.add("ledger"));

        await().until(() -> begun.contains("ledger"));
        assertThat(begun).doesNotContain("another");

        end.countDown();
    }

    @Test
    void aCallThatFailsMakesRoomForTheNext() {
        for (int i = 0; i < 20; i++) {
            queue.of(Rank.START).execute(() -> {
                throw new IllegalStateException("a bug of the test");
            });
        }

        queue.of(Rank.START).execute(() -> begun.add("start"));

        await().until(() -> begun.size() == 1);
    }

    private void waits(String name) {
        waits(name, end);
    }

    private void waits(String name, CountDownLatch until) {
        begun.add(name);
        try {
            until.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
