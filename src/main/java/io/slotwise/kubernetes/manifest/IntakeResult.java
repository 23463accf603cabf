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
 * What was taken in.
 *
 * @param names who names which advance reservation
 * @param members of every gang, planned, held or started, its pods by name that are neither terminal nor terminating
 * @param warnings in a stable order
 * @param sources where the runtimes of gangs come from that were not promised a window with another one
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

    /** The same with what a cycle would plan from. */
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
