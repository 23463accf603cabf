package io.slotwise.lab.simulation.disturbance;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;

/** A failure, a return, a price change or an owner's job on a node. No scheduler knows it in advance. */
public sealed interface Disturbance {
    long second();

    String node();

    /** The node is removed. Its pods are lost, and every gang that loses a pod is stopped and waits again. */
    record Removed(long second, String node) implements Disturbance {}

    /** The node is back, empty. */
    record Returned(long second, String node) implements Disturbance {}

    /** The whole node has this price per hour from now on. Earlier promises are not affected. */
    record Repriced(long second, String node, Money price) implements Disturbance {}

    /** A job of the node's owner. It takes precedence over promises and starts once its room is free of pods. */
    record OwnerJob(long second, String node, Resources resources, long seconds) implements Disturbance {
        public OwnerJob {
            if (seconds <= 0) {
                throw new IllegalArgumentException(
                        "The seconds (%d) of an owner's job must be positive.".formatted(seconds));
            }
        }
    }
}
