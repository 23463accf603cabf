package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Policy;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;

/** A replica that plans three nodes, and starts what it has promised. */
abstract class OneReplica {
    static final long TURNOVER = 3;
    /** The latest release of a gang after its second, seconds: half of the start timeout. */
    static final long LATEST = 5;

    final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    final LoopSettings settings = LoopSettings.EXACT.withPolicy(Policy.EXACT.withTurnover(TURNOVER));
    final ChangingSettings current = new ChangingSettings(settings);
    final PlanningLoop loop = replica();
    final GangStarter starter = host.starter(current);

    /** Adds a gang of two pods and binds it in its second. */
    GangId starts(String name) {
        GangId gang = host.arrives(name, 2, 100);
        loop.cycle();
        host.passTo(host.window(gang).start());
        starter.look(host.instant());
        host.openBarrier(gang);
        return gang;
    }

    String place(GangId gang, String pod) {
        return host.window(gang).placements().stream()
                .filter(placement -> placement.pod().equals(pod))
                .findFirst()
                .orElseThrow()
                .node();
    }

    PlanningLoop replica() {
        return host.replica(current);
    }
}
