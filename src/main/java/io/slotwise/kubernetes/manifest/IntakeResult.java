package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The result of an intake.
 *
 * @param members the pods of every gang (planned, held or started) that are neither terminal nor terminating, by name
 * @param warnings the warnings in a stable order
 * @param sources the sources of gangs' runtimes, unless their promised window has another runtime
 */
public record IntakeResult(
        Snapshot snapshot,
        ReservationNames names,
        SortedMap<GangId, List<Pod>> members,
        List<IntakeWarning> warnings,
        SortedMap<GangId, RuntimeSource> sources) {
    public IntakeResult {
        sources = Collections.unmodifiableSortedMap(new TreeMap<>(sources));
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        warnings = List.copyOf(warnings);
    }

    /** Returns a copy with the snapshot that a cycle plans from. */
    public IntakeResult planning(Snapshot agreedSnapshot, ReservationNames namedNames) {
        return new IntakeResult(agreedSnapshot, namedNames, members, warnings, sources);
    }

    public IntakeResult warning(List<IntakeWarning> more) {
        return new IntakeResult(
                snapshot,
                names,
                members,
                Stream.concat(warnings.stream(), more.stream()).toList(),
                sources);
    }

    IntakeResult offering(List<NodeOffer> offers) {
        return new IntakeResult(snapshot.offering(offers), names, members, warnings, sources);
    }
}
