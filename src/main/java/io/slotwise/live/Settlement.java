package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.work.Isolated;
import java.util.Set;

/**
 * Takes every gang on to the second of the cycle by what its pods did, before anything is planned: {@link LifeCycle} for gangs, {@link HoldLife} for advance
 * reservations. A gang that the cycle leaves alone keeps its record; so does one over which there is an error.
 */
final class Settlement {
    private final LifeCycle lifeCycle;
    private final Ends ends;
    private final Failures failures;

    /**
     * Before the first gang is settled.
     *
     * @param ends notes when members ended, of the gangs for which somebody needs to know
     */
    Settlement(LifeCycle lifeCycle, Ends ends, Failures failures) {
        this.lifeCycle = lifeCycle;
        this.ends = ends;
        this.failures = failures;
    }

    /** The drafts of all gangs that are known. */
    Drafts settle(Scene scene) {
        Facts facts = scene.facts();
        HoldLife holdLife = new HoldLife(
                scene.settings(),
                facts.standings().values(),
                // A guest whose pods cannot be told keeps its part.
                standing ->
                        Isolated.get(() -> LifeCycle.isWhole(standing, facts.membersOf(standing.gang())), _ -> false));
        Set<String> accounted = facts.accounted(scene.settings().policy());
        boolean restarts = scene.settings().memberLoss() == Settings.MemberLoss.RESTART;
        Drafts drafts = new Drafts(scene.now(), failures);
        facts.standings().forEach((gang, standing) -> {
            if (scene.frozen().contains(gang)) {
                drafts.put(Draft.frozen(standing));
                return;
            }
            boolean noted = restarts || accounted.contains(gang.namespace());
            drafts.put(Isolated.get(() -> settled(standing, holdLife, noted, scene), error -> {
                failures.add(gang, "settled", error);
                return Draft.untouched(standing);
            }));
        });
        scene.unreadable().keySet().forEach(drafts::freeze);
        return drafts;
    }

    private Draft settled(Standing standing, HoldLife holdLife, boolean noted, Scene scene) {
        GangId gang = standing.gang();
        Facts facts = scene.facts();
        Draft draft = new Draft(standing);
        if (standing.tenure().isHeld()) {
            holdLife.settle(draft, scene.now());
        } else {
            lifeCycle.settle(draft, facts.membersOf(gang), scene.now());
        }
        if (noted) {
            ends.note(draft, facts.membersOf(gang));
        }
        return draft;
    }
}
