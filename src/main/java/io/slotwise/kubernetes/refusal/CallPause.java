package io.slotwise.kubernetes.refusal;

import java.time.Duration;
import java.time.Instant;

/** How long something is not asked for again: longer after each further refusal. */
final class CallPause {
    static final Duration FIRST = Duration.ofSeconds(10);
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final Instant steady;
    private ApiRefusal refusal;
    private Instant seen;
    private Instant until;
    private Duration length;

    /**
     * The pause after a first refusal.
     *
     * @param steady it is not longer after further refusals within this time
     */
    CallPause(ApiRefusal refusal, Duration length, Duration steady, Instant now) {
        this.steady = now.plus(steady);
        this.refusal = refusal;
        this.seen = now;
        this.length = length;
        this.until = now.plus(length);
    }

    /** Why. */
    ApiRefusal refusal() {
        return refusal;
    }

    /** When it was refused last. */
    Instant seen() {
        return seen;
    }

    void again(ApiRefusal other, Instant now) {
        refusal = other;
        seen = now;
        if (!now.isBefore(steady)) {
            length = length.plus(FIRST).compareTo(LONGEST) < 0 ? length.plus(FIRST) : LONGEST;
        }
        until = now.plus(length);
    }

    boolean lasts(Instant now) {
        // A clock that was set back does not make it longer.
        return now.isBefore(until) && !now.isBefore(seen);
    }

    /** Whether it is over since less than {@link #FIRST}. */
    boolean isJustOver(Instant now) {
        return !now.isBefore(until) && now.isBefore(until.plus(FIRST));
    }

    /** One call goes through, and none beside it. */
    void probe(Instant now) {
        until = now.plus(length);
    }
}
