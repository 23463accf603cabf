package io.slotwise.kubernetes.refusal;

import java.time.Duration;
import java.time.Instant;

/** The pause before a refused call is made again. It grows with each further refusal. */
final class CallPause {
    static final Duration FIRST = Duration.ofSeconds(10);
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final Instant steady;
    private ApiRefusal refusal;
    private Instant seen;
    private Instant until;
    private Duration length;

    /**
     * Begins the pause after a first refusal.
     *
     * @param steady the time in which further refusals do not lengthen it
     */
    CallPause(ApiRefusal refusal, Duration length, Duration steady, Instant now) {
        this.steady = now.plus(steady);
        this.refusal = refusal;
        this.seen = now;
        this.length = length;
        this.until = now.plus(length);
    }

    ApiRefusal refusal() {
        return refusal;
    }

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
        // A clock that was set back does not lengthen it.
        return now.isBefore(until) && !now.isBefore(seen);
    }

    /** Returns whether the pause ended less than {@link #FIRST} ago. */
    boolean isJustOver(Instant now) {
        return !now.isBefore(until) && now.isBefore(until.plus(FIRST));
    }

    /** Lets a single call through and pauses again. */
    void probe(Instant now) {
        until = now.plus(length);
    }
}
