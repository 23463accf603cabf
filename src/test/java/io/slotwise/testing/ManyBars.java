package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.web.board.BoardInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A large regular cluster: every four nodes run gangs of four pods one after another, each for an hour. The first of
 * them is running.
 */
public final class ManyBars {
    /** 2030-01-15T10:00:00Z. */
    public static final long NOW = 1_894_701_600L;

    private static final int SIDE_BY_SIDE = 4;
    private static final long LENGTH = 3600;
    private static final long GAP = 300;

    private ManyBars() {}

    /** The board's input with this many nodes, a multiple of four, and bars on each node. */
    public static BoardInput input(int nodes, int barsPerNode) {
        List<Node> all = new ArrayList<>();
        List<Occupation> held = new ArrayList<>();
        List<GangRecord> records = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(node(i));
        }
        for (int block = 0; block < nodes / SIDE_BY_SIDE; block++) {
            for (int turn = 0; turn < barsPerNode; turn++) {
                Window window = window(all, block, turn);
                records.add(record(window));
                if (window.start() <= NOW) {
                    hold(window, held);
                }
            }
        }
        return new BoardInput(
                NOW,
                Policy.EXACT.withHorizon(24 * 3600),
                new Snapshot(NOW, new Cluster(all, held), List.of(), List.of()),
                records,
                new BoardInput.Planner(true, List.of()));
    }

    private static Node node(int i) {
        StepFunction price = StepFunction.startingAt(1_000_000 + i % 7 * 100_000L)
                .then(NOW + i % 5 * 3600L, 2_000_000)
                .build();
        return new Node(
                "node-%04d".formatted(i),
                Map.of("topology.kubernetes.io/zone", "zone-" + i % 3),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 64_000L, Resources.PODS, 110L)),
                Performance.REFERENCE,
                "owner-" + i % 5,
                price,
                List.of());
    }

    private static Window window(List<Node> nodes, int block, int turn) {
        GangId gang = new GangId("team-" + block % 9, "gang-%d-%d".formatted(block, turn));
        long start = NOW - 1800 + turn * (LENGTH + GAP);
        List<Placement> placements = new ArrayList<>();
        for (int i = 0; i < SIDE_BY_SIDE; i++) {
            placements.add(new Placement(
                    gang.name() + "-" + i,
                    nodes.get(block * SIDE_BY_SIDE + i).name(),
                    start,
                    start + LENGTH,
                    new Cost(1_500_000L * LENGTH)));
        }
        return Window.of(gang, start, placements);
    }

    private static GangRecord record(Window window) {
        GangRecord promised = GangRecord.first(window.gang(), NOW - 7200)
                .withTerms(new RecordedTerms("start", LENGTH, new Money(8_000_000), "", 0, false))
                .promised(new Promise(window, WindowOrigin.CYCLIC, false), PromiseTariff.CONSTANT)
                .withHistory(GangRecord.History.seen(NOW - 7200).promised(new FirstPromise(window.start())))
                .withPhase(Phase.PROMISED)
                .planned(true, "Promised", "promised", NOW);
        return window.start() > NOW
                ? promised
                : promised.withHistory(promised.history().started(window.start(), new TreeMap<>()))
                        .withPhase(Phase.RUNNING);
    }

    private static void hold(Window window, List<Occupation> held) {
        for (Placement placement : window.placements()) {
            held.add(new Occupation(
                    window.gang().namespace() + "/" + placement.pod(),
                    placement.node(),
                    Resources.of(Map.of(Resources.CPU, 48_000L, Resources.PODS, 1L)),
                    new Interval(placement.start(), placement.end())));
        }
    }
}
