package io.slotwise.core.ledger;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;

/** The unit of a namespace's use. */
public enum UseUnit {
    /** The cost of its gangs. */
    MONEY {
        @Override
        public Cost of(Window window) {
            return window.cost();
        }

        @Override
        public Cost of(Charge charge) {
            return charge.total();
        }

        @Override
        Cost of(LedgerEntry entry) {
            return entry.promised().plus(entry.beyond().allHeld().total());
        }
    },
    /** The sum of its pods' seconds. One unit of cost stands for a second. */
    PROCESSOR_TIME {
        @Override
        public Cost of(Window window) {
            return new Cost(window.processorTime());
        }

        @Override
        public Cost of(Charge charge) {
            return new Cost(charge.processorTime());
        }

        @Override
        Cost of(LedgerEntry entry) {
            return new Cost(entry.processorTime() + entry.beyond().allHeld().processorTime());
        }
    };

    /** Returns money, unless all nodes of the cluster are free of charge. O(nodes). */
    public static UseUnit in(Cluster cluster) {
        return cluster.isFree() ? PROCESSOR_TIME : MONEY;
    }

    public abstract Cost of(Window window);

    public abstract Cost of(Charge charge);

    abstract Cost of(LedgerEntry entry);
}
