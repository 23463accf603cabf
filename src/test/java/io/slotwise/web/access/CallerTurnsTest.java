package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CallerTurnsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong processor = new AtomicLong();
    private final CallerTurns turns = new CallerTurns(nanos::get, processor::get);

    private String use(String caller, Duration time) {
        return turns.take(caller, () -> {
            processor.addAndGet(time.toNanos());
            return "an answer";
        });
    }

    @Test
    void aCallerThatHasUsedItsTimeWaitsForTheNextMinuteAndOthersDoNot() {
        use("erin", Duration.ofSeconds(19));
        use("erin", Duration.ofSeconds(19));

        assertThatThrownBy(() -> use("erin", Duration.ZERO))
                .isInstanceOf(Bulkhead.Busy.class)
                .hasMessage("the answers to you have taken 20 s of a processor within a minute; try again in a minute");
        assertThat(use("jane", Duration.ofSeconds(1))).isEqualTo("an answer");

        nanos.addAndGet(CallerTurns.PERIOD.toNanos() + 1);
        assertThat(use("erin", Duration.ZERO)).isEqualTo("an answer");
    }

    @Test
    void aCallerHasFewAnswersWorkedOutAtATimeAndATurnEndsHoweverTheAnswerDoes() {
        String inner = nested(CallerTurns.AT_ONCE, () -> {
            assertThatThrownBy(() -> use("erin", Duration.ZERO))
                    .isInstanceOf(Bulkhead.Busy.class)
                    .hasMessage("4 requests of yours are being answered; try again when they are");
            return use("jane", Duration.ZERO);
        });
        for (int i = 0; i <= CallerTurns.AT_ONCE; i++) {
            assertThatThrownBy(() -> turns.take("erin", () -> {
                        throw new IllegalStateException("no answer");
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }

        assertThat(inner).isEqualTo("an answer");
        assertThat(use("erin", Duration.ZERO)).isEqualTo("an answer");
    }

    private String nested(int depth, Supplier<String> work) {
        return depth == 0 ? work.get() : turns.take("erin", () -> nested(depth - 1, work));
    }

    @Test
    void withoutAuthenticationThereAreNoShares() {
        assertThat(turns.<String>take(null, () -> turns.take(null, () -> turns.take(null, () -> "an answer"))))
                .isEqualTo("an answer");
    }
}
