package io.slotwise.core.recall;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.ClusterChanges;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a plan leaves to the next one: what its searches found, who held room at its end, and who gave room up lately.
 * An immutable value that never changes a plan, only the work for it.
 */
public final class PlanMemory {
    /** Nothing is remembered. */
    public static final PlanMemory NOTHING = new PlanMemory(
            "",
            new Cluster(List.of(), List.of()),
            Map.of(),
            new Departures(0, List.of()),
            Map.of(),
            new Hindrances(Map.of(), Map.of()),
            Instants.Kept.NOTHING,
            PromisedRoom.NONE);

    private final Object circumstances;
    private final Cluster cluster;
    private final Map<GangId, Held> windows;
    private final Departures departures;
    private final Map<GangId, Known> known;
    private final Hindrances hindrances;
    private final Instants.Kept instants;
    private final PromisedRoom promised;

    /**
     * The last departures.
     *
     * @param first how many there were before
     */
    record Departures(long first, List<RoomDeparture> list) {
        Departures {
            list = List.copyOf(list);
        }
    }

    /** A gang that waited and the window that it had. */
    record Held(Gang gang, Window window) {}

    /** What was found for a gang as it was. */
    record Known(Gang gang, List<RecalledFinding> findings) {
        Known {
            findings = List.copyOf(findings);
        }

        /** What was found since there had been so many departures; null: nothing. */
        @Nullable
        Known since(long seen) {
            List<RecalledFinding> late =
                    findings.stream().filter(finding -> finding.seen() >= seen).toList();
            return late.isEmpty() ? null : late.size() == findings.size() ? this : new Known(gang, late);
        }
    }

    /**
     * A gang for which there was no second at which all of its pods had room, on whichever nodes, its own room being
     * free.
     *
     * @param terms that were looked at
     * @param seen the number of departures that there had been
     */
    record Crowded(Gang gang, SlotTerms terms, long seen) {
        /** Whether it was about what is sought, but for starts that were too late then. */
        boolean isAbout(SlotTerms sought) {
            return terms.earliest() <= sought.earliest()
                    && terms.deadline() >= sought.deadline()
                    && Objects.equals(terms.slotPrice(), sought.slotPrice());
        }
    }

    /**
     * A window that could not start sooner on its own nodes, its own room being free.
     *
     * @param earliest starts from this second on were looked at
     * @param seen the number of departures that there had been
     */
    record Still(Gang gang, Window window, long earliest, long seen) {}

    /** What is known to be in the way of gangs. */
    record Hindrances(Map<GangId, Crowded> crowded, Map<GangId, Still> still) {}

    PlanMemory(
            Object circumstances,
            Cluster cluster,
            Map<GangId, Held> windows,
            Departures departures,
            Map<GangId, Known> known,
            Hindrances hindrances,
            Instants.Kept instants,
            PromisedRoom promised) {
        this.circumstances = circumstances;
        this.cluster = cluster;
        this.windows = windows;
        this.departures = departures;
        this.known = known;
        this.hindrances = hindrances;
        this.instants = instants;
        this.promised = promised;
    }

    /** Whether it was made by the same rules. */
    public boolean isOf(Object rules) {
        return circumstances.equals(rules);
    }

    /** What is other in a cluster than in the one that it was made of. */
    public ClusterChanges changesTo(Cluster now) {
        return ClusterChanges.between(cluster, now);
    }

    /** What was free beside the promises that held at the beginning of its cycle. */
    public PromisedRoom promised() {
        return promised;
    }

    /** The window of each gang that waited and had one. */
    Map<GangId, Held> windows() {
        return windows;
    }

    Departures departures() {
        return departures;
    }

    Map<GangId, Known> known() {
        return known;
    }

    Hindrances hindrances() {
        return hindrances;
    }

    Instants.Kept instants() {
        return instants;
    }
}
