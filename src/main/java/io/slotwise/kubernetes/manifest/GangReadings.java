package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.gang.GuessedRuntimes;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What pods say of the gangs for which they speak: their own, and each pod that is planned by itself beside it. Scratch
 * of one run.
 */
final class GangReadings {
    private final IntakeCache recollection;
    private final GroupObjects groups;
    private final GuessedRuntimes guessed;
    private final Function<GangId, GangDefaults> usual;
    private final Map<GangId, KnownGang> known;
    private final IdentityHashMap<GangMembers, Spoken> spoken = new IdentityHashMap<>();

    /**
     * Nothing is read yet.
     *
     * @param groups what other projects and owners say of gangs
     * @param usual what counts where a gang does not state it
     */
    GangReadings(
            IntakeCache recollection,
            GroupObjects groups,
            GuessedRuntimes guessed,
            Function<GangId, GangDefaults> usual,
            Map<GangId, KnownGang> known) {
        this.recollection = recollection;
        this.groups = groups;
        this.guessed = guessed;
        this.usual = usual;
        this.known = known;
    }

    /** What pods say, by what counts where they do not say it. */
    private static final class Spoken {
        private final List<Pod> pods;
        private final Map<GangDefaults, AnnotatedGang.Reading> readings = new HashMap<>();
        private @Nullable RecurringWorkload workload;
        private boolean isGuessed;

        Spoken(List<Pod> pods) {
            this.pods = pods;
        }

        @Nullable
        RecurringWorkload workload(GangId gang, GuessedRuntimes guessed) {
            if (!isGuessed) {
                workload = guessed.workload(gang, pods);
                isGuessed = true;
            }
            return workload;
        }
    }

    /**
     * What these pods say for the gang of this name. O(pods), once for all for which they speak and the same defaults
     * count.
     */
    AnnotatedGang.Reading of(GangMembers speaking, GangId gang) {
        KnownGang knowledge = known.getOrDefault(gang, KnownGang.NOTHING);
        Spoken said = spoken.computeIfAbsent(speaking, _ -> new Spoken(speaking.all()));
        GangDefaults policy = usual.apply(gang);
        GangDefaults defaults = knowledge.isAgreed()
                ? knowledge.usual(policy)
                : guessed.usual(gang, said.workload(speaking.id(), guessed), knowledge.source(), policy);
        AnnotatedGang.Reading reading =
                said.readings.computeIfAbsent(defaults, _ -> recollection.terms(gang, said.pods, groups, defaults));
        if (!knowledge.isAgreed()) {
            guessed.read(gang, reading.known());
        }
        return reading.left(knowledge.past());
    }
}
