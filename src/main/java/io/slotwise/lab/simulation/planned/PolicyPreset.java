package io.slotwise.lab.simulation.planned;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.lab.workload.Job;
import java.util.Locale;

/** The planner's policies that have a name. */
public enum PolicyPreset {
    /** Every key of the policy at its default. */
    SLOTWISE {
        @Override
        public Policy policy() {
            return Policy.DEFAULT;
        }
    },
    /** Each gang its earliest window within its whole budget, one after the other (AMP). */
    AMP {
        @Override
        public Policy policy() {
            return ALONE;
        }

        @Override
        public Job asks(Job job) {
            return job.on(job.terms().paying(job.terms().budget(), Criterion.START));
        }
    },
    /**
     * Each gang its earliest window in which no pod's rate passes its share of the budget, one after the other (ALP).
     */
    ALP {
        @Override
        public Policy policy() {
            return ALONE;
        }

        @Override
        public Job asks(Job job) {
            Money total = job.terms().budget().total();
            Money limit = total == null ? job.terms().budget().slotPrice() : perHour(total, job);
            return job.on(job.terms().paying(new Budget(null, limit), Criterion.START));
        }

        private static Money perHour(Money total, Job job) {
            long seconds = Math.multiplyExact(job.size(), job.estimate());
            return new Money(Math.multiplyExact(total.micros(), 3600) / seconds);
        }
    },
    /** Every gang is placed when it arrives, by the economic minimum completion time. */
    EMCT {
        @Override
        public Policy policy() {
            return online(Manner.EMCT);
        }
    },
    /** Every gang is placed when it arrives, by the economic minimum execution time. */
    EMET {
        @Override
        public Policy policy() {
            return online(Manner.EMET);
        }
    },
    /** The batch in the order of the adapted first come, first served. */
    AFCFS {
        @Override
        public Policy policy() {
            return ordered(Order.AFCFS);
        }
    },
    /** The batch with the largest gang first. */
    LGFS {
        @Override
        public Policy policy() {
            return ordered(Order.LGFS);
        }
    },
    /** The batch with the user first who has used least. */
    FAIR {
        @Override
        public Policy policy() {
            return ordered(Order.FAIR);
        }
    };

    private static final Policy ALONE =
            Policy.EXACT.withBatch(Policy.EXACT.batch().withAlternatives(1));

    /** Its name on the command line. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What the planner goes by. */
    public abstract Policy policy();

    /** The job with the terms that the policy gives it. */
    public Job asks(Job job) {
        return job;
    }

    private static Policy online(Manner manner) {
        Policy.Online usual = Policy.DEFAULT.online();
        return Policy.DEFAULT.withOnline(new Policy.Online(manner, usual.weights(), usual.domainKey()));
    }

    private static Policy ordered(Order order) {
        return Policy.DEFAULT.withQueue(Policy.DEFAULT.queue().by(order));
    }
}
