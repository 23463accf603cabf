package io.slotwise.simulation.planned;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.ledger.Tariff;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.simulation.Run.Deal;
import io.slotwise.workload.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A job that has not started, and what it was promised. */
final class Waiting {
    final Job job;
    final Gang gang;
    private final List<Cause> broken = new ArrayList<>();
    private @Nullable Promise promise;
    private Tariff tariff = Tariff.CONSTANT;
    private OptionalLong first = OptionalLong.empty();
    private OptionalLong loss = OptionalLong.empty();

    Waiting(Job job) {
        this.job = job;
        this.gang = job.gang();
    }

    /** What the planner is asked. */
    Request request() {
        return new Request(gang, promise);
    }

    @Nullable
    Promise promise() {
        return promise;
    }

    /** The prices of the promise. */
    Tariff tariff() {
        return tariff;
    }

    /** A new promise at these prices. */
    void promised(Promise better, Tariff prices, OptionalLong utilityLoss) {
        promise = better;
        tariff = prices;
        loss = utilityLoss;
        if (first.isEmpty()) {
            first = OptionalLong.of(better.window().start());
        }
    }

    /** It has no window any more. */
    void unpromised() {
        promise = null;
    }

    void broken(Cause cause) {
        broken.add(cause);
    }

    /** What came of the promises until a start now. */
    Deal deal(long now) {
        return new Deal(first.orElse(now), broken, loss);
    }
}
