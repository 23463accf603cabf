package io.slotwise.testing;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.kubernetes.watch.WatchTiming;
import io.slotwise.live.settings.LoopSettings;

/** A cluster watch with default settings and no prices, without a listener. */
public final class PlainWatch {
    private PlainWatch() {}

    public static ClusterWatch of(KubernetesClient client, ReservationIndex reservations) {
        return new ClusterWatch(
                client,
                new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY),
                reservations,
                () -> {},
                WatchTiming.DEFAULT);
    }
}
