package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.migration.DisruptionLimit;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.GangProgress;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;

/** Gangs that run on given nodes as promised. */
public final class RunningGangs {
    private RunningGangs() {}

    /**
     * A gang that has run since {@code startedAt}, its pods on these nodes in their order, at these nodes' prices.
     *
     * @param now the present second
     * @param stop how long its pods are away when the gang is stopped
     */
    public static Running of(Gang gang, List<Node> nodes, long startedAt, long now, EvictionTiming stop) {
        List<Placement> places = new ArrayList<>();
        List<Occupation> room = new ArrayList<>();
        long longest = 0;
        for (int i = 0; i < gang.size(); i++) {
            longest = Math.max(longest, duration(gang, gang.pods().get(i), nodes.get(i)));
        }
        for (int i = 0; i < gang.size(); i++) {
            String pod = gang.pods().get(i);
            Node node = nodes.get(i);
            long end = startedAt + (gang.lockstep() ? longest : duration(gang, pod, node));
            places.add(new Placement(
                    pod,
                    node.name(),
                    startedAt,
                    end,
                    new Cost(rate(gang, pod, node).sum(startedAt, end))));
            room.add(new Occupation(
                    gang.id().namespace() + "/" + pod,
                    node.name(),
                    gang.requestOf(pod).resources(),
                    new Interval(startedAt, end)));
        }
        Window window = Window.of(gang.id(), startedAt, places);
        PromiseTariff tariff = PromiseTariff.of(
                window,
                placement -> rate(gang, placement.pod(), nodes.get(gang.pods().indexOf(placement.pod()))));
        return Usual.running(
                gang, new GangProgress(window, tariff, startedAt, now - startedAt, 0), room, stop, List.of());
    }

    /** Returns the same gang, which loses all its work if it is stopped, under these disruption budgets. */
    public static Running beginningAnew(Running running, List<DisruptionLimit> guards) {
        return new Running(
                running.gang(),
                running.progress(),
                running.room(),
                running.timing(),
                running.moves(),
                false,
                guards,
                0);
    }

    public static Running guarded(Running running, List<DisruptionLimit> guards) {
        return new Running(
                running.gang(),
                running.progress(),
                running.room(),
                running.timing(),
                running.moves(),
                running.keepsWork(),
                guards,
                0);
    }

    /** Returns the snapshot with all its lists in reverse order. */
    public static Snapshot turned(Snapshot given) {
        return new Snapshot(
                        given.now(),
                        new Cluster(
                                given.cluster().inventory().reversed(),
                                given.cluster().occupations().reversed()),
                        given.requests().reversed(),
                        given.held().reversed())
                .withAccounts(given.accounts().reversed())
                .withRunning(given.running().reversed());
    }

    private static long duration(Gang gang, String pod, Node node) {
        PodRequest request = gang.requestOf(pod);
        return request.durationOn(node.performance());
    }

    private static StepFunction rate(Gang gang, String pod, Node node) {
        return gang.requestOf(pod)
                .resources()
                .dominantShareOf(node.allocatable())
                .of(node.price());
    }
}
