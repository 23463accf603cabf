package io.slotwise.kubernetes.watch;

import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.live.port.NodeSupplier.Supplied;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/** Where nodes can be bought, as watches keep it. */
interface PurchaseSource {
    /** What it watches. */
    Stream<Reflector<?>> reflectors();

    /** What is installed where it is served. */
    String needs();

    /** Whether something of the catalogue is to be had here. */
    boolean isAsked();

    /** All of it as it is now, whether or not it can be bought. */
    List<CatalogueOffer> offers();

    /** Whether one more node passes no limit. */
    boolean allows(CatalogueOffer offer);

    /** What Slotwise has bought here, by its name. */
    SortedMap<String, Supplied> supplied();

    /** Whether all of this has been read, and can be. */
    default boolean isServed() {
        return reflectors().allMatch(reflector -> reflector.hasSynced() && !reflector.isWithheld());
    }

    /** Whether it is known not to be there. */
    default boolean isAbsent() {
        return reflectors().anyMatch(Reflector::isWithheld);
    }
}
