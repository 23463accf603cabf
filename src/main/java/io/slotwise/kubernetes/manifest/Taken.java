package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.reservation.Claims;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was taken in.
 *
 * @param snapshot for the planner
 * @param claims who names which advance reservation
 * @param members of every gang, planned, held or started, its pods by name that are neither terminal nor terminating
 * @param warnings in a stable order
 */
public record Taken(Snapshot snapshot, Claims claims, SortedMap<GangId, List<Pod>> members, List<Warning> warnings) {
    public Taken {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        warnings = List.copyOf(warnings);
    }
}
