package io.slotwise.lab.simulation.disturbance;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;

/** A failure, a return, a price change or an owner's job on a node. No scheduler knows of it before. */
public sealed interface Disturbance {
    /** When, on the workload's clock. */
    long second();

    String node();

    /** The node is gone; what runs on it is lost, and every gang that loses a pod stops whole and waits again. */
    record Removed(long second, String node) implements Disturbance {}

    /** The node is back, empty. */
    record Returned(long second, String node) implements Disturbance {}

    /** From now on the whole node costs this much per hour; what was promised before is not touched. */
    record Repriced(long second, String node, Money price) implements Disturbance {}

    /** A job of the node's owner: it goes before every promise, and starts once its room is free of pods. */
    record OwnerJob(long second, String node, Resources resources, long seconds) implements Disturbance {
        public OwnerJob {
            if (seconds <= 0) {
                throw new IllegalArgumentException(
                        "The seconds (%d) of an owner's job must be positive.".formatted(seconds));
            }
        }
    }
}
