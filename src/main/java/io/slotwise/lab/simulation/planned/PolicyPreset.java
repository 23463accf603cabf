package io.slotwise.lab.simulation.planned;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.text.Keyed;
import io.slotwise.lab.workload.Job;

public enum PolicyPreset implements Keyed {
    /** The default policy. */
    SLOTWISE,
    /** AMP: each gang in turn gets its earliest window within its whole budget. */
    AMP,
    /** ALP: each gang in turn gets its earliest window in which no pod's rate exceeds its share of the budget. */
    ALP,
    /** Every gang is placed on arrival, by the economic minimum completion time. */
    EMCT,
    /** Every gang is placed on arrival, by the economic minimum execution time. */
    EMET,
    /** Batches in the order of adapted first come, first served. */
    AFCFS,
    /** Batches with the largest gang first. */
    LGFS,
    /** Batches with the user of the least past use first. */
    FAIR;

    public Policy policy() {
        return switch (this) {
            case SLOTWISE -> Policy.DEFAULT;
            case AMP, ALP -> Policy.EXACT.withBatch(Policy.EXACT.batch().withAlternatives(1));
            case EMCT -> online(Manner.EMCT);
            case EMET -> online(Manner.EMET);
            case AFCFS -> ordered(Order.AFCFS);
            case LGFS -> ordered(Order.LGFS);
            case FAIR -> ordered(Order.FAIR);
        };
    }

    public Job asks(Job job) {
        return switch (this) {
            case AMP -> job.on(job.terms().paying(job.terms().budget(), Criterion.START));
            case ALP -> {
                Money total = job.terms().budget().total();
                Money limit = total == null ? job.terms().budget().slotPrice() : perHour(total, job);
                yield job.on(job.terms().paying(new Budget(null, limit), Criterion.START));
            }
            case SLOTWISE, EMCT, EMET, AFCFS, LGFS, FAIR -> job;
        };
    }

    private static Money perHour(Money total, Job job) {
        long seconds = Math.multiplyExact(job.size(), job.estimate());
        return new Money(Math.multiplyExact(total.micros(), 3600) / seconds);
    }

    private static Policy online(Manner manner) {
        Policy.Online usualOnline = Policy.DEFAULT.online();
        return Policy.DEFAULT.withOnline(new Policy.Online(manner, usualOnline.weights(), usualOnline.domainKey()));
    }

    private static Policy ordered(Order order) {
        return Policy.DEFAULT.withQueue(Policy.DEFAULT.queue().by(order));
    }
}
