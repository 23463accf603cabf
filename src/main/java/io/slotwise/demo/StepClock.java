package io.slotwise.demo;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that only changes between the steps of a demo. Thread-safe; one thread moves it. */
final class StepClock implements InstantSource {
    private volatile Instant now;

    StepClock(Instant now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        return now;
    }

    long second() {
        return now.getEpochSecond();
    }

    void passTo(Instant later) {
        if (later.isBefore(now)) {
            throw new IllegalArgumentException("The clock (%s) must not go back to %s.".formatted(now, later));
        }
        now = later;
    }
}
