package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.gang.GuessedRuntimes;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The terms that pods state: for their own gang, and for each pod of it that is planned individually. Used for one
 * intake.
 */
final class GangReadings {
    private final IntakeInput input;
    private final GuessedRuntimes guessed;
    private final GangDefaults defaults;
    private final IdentityHashMap<GangMembers, PodReadings> readings = new IdentityHashMap<>();

    GangReadings(IntakeInput input, GuessedRuntimes guessed) {
        this.input = input;
        this.guessed = guessed;
        this.defaults = GangDefaults.of(input.settings());
    }

    /** Returns the values that apply where a gang states nothing, and the limits of what it may state. */
    GangDefaults usual(GangId gang) {
        return input.grants().get(gang.namespace()) instanceof Grant.Given(Allotment budget)
                ? defaults.within(budget.amount())
                : defaults;
    }

    private static final class PodReadings {
        private final List<Pod> pods;
        private final Map<GangDefaults, AnnotatedGang.Reading> readings = new HashMap<>();
        private @Nullable RecurringWorkload workload;
        private boolean isGuessed;

        PodReadings(List<Pod> pods) {
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

    /** Reads the terms of a gang from these pods. O(pods), once for all gangs with the same pods and defaults. */
    AnnotatedGang.Reading of(GangMembers speakingMembers, GangId gang) {
        KnownGang known = input.known(gang);
        PodReadings podReadings =
                readings.computeIfAbsent(speakingMembers, _ -> new PodReadings(speakingMembers.all()));
        GangDefaults gangDefaults = usual(gang);
        GangDefaults defaults = known.isAgreed()
                ? known.defaults(gangDefaults)
                : guessed.usual(
                        gang, podReadings.workload(speakingMembers.id(), guessed), known.source(), gangDefaults);
        AnnotatedGang.Reading reading = podReadings.readings.computeIfAbsent(
                defaults,
                _ -> input.cache().terms(gang, podReadings.pods, input.objects().groups(), defaults));
        if (!known.isAgreed()) {
            guessed.read(gang, reading.known());
        }
        return reading.left(known.history());
    }
}
