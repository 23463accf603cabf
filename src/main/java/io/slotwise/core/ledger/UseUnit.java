package io.slotwise.core.ledger;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;

/** What the use of a namespace is counted in. */
public enum UseUnit {
    /** What its gangs cost. */
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
    /** How long its pods run, all together; an exact amount stands for a second. */
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

    /** Money, unless no node of the cluster costs anything. O(nodes). */
    public static UseUnit in(Cluster cluster) {
        return cluster.isFree() ? PROCESSOR_TIME : MONEY;
    }

    public abstract Cost of(Window window);

    public abstract Cost of(Charge charge);

    abstract Cost of(LedgerEntry entry);
}
