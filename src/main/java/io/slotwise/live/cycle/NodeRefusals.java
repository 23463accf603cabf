package io.slotwise.live.cycle;

import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.NodeAvoidance;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.PodNames;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Rolls back gangs with late or refused members, and leaves the nodes that refused them out of their plans for a while.
 */
record NodeRefusals(GangLifecycle.Surroundings surroundings) {
    /**
     * The first time for which a node that refused a gang is left out, seconds. It doubles with each rollback of the
     * gang.
     */
    static final long AVOIDED_SECONDS = 30;

    /** The upper limit of that time, seconds. */
    static final long MOST_AVOIDED_SECONDS = 3600;

    /**
     * Rolls back a released gang. Its members with a message of kube-scheduler are at fault. Without any message
     * kube-scheduler was unavailable.
     */
    void takeBack(RecordUpdate update, Promise promise, List<Member> waiting, long now) {
        List<Member> refused = waiting.stream()
                .filter(member -> !member.direct() && !member.refusal().isEmpty())
                .toList();
        List<Member> late = waiting.stream().filter(member -> !member.direct()).toList();
        if (late.isEmpty()) {
            update.breakPromise(
                    Cause.OUTAGE,
                    "%s could not be bound in time: Slotwise or the API server was unavailable"
                            .formatted(names(waiting)),
                    now);
        } else if (refused.isEmpty()) {
            update.breakPromise(
                    Cause.OUTAGE, "kube-scheduler did not place %s in time for the start".formatted(names(late)), now);
        } else {
            avoid(update, promise, refused, now, Member::uid);
            update.refuse(LastRefusal.of(LastRefusal.By.KUBE_SCHEDULER, refused), now);
        }
    }

    /** Rolls back a gang that a kubelet refused. The pod is Failed for good, and only a controller recreates it. */
    void reject(RecordUpdate update, Promise promise, List<Member> rejected, long now) {
        // Another pod with the same request replaces a pod that a kubelet refused.
        avoid(update, promise, rejected, now, _ -> "");
        update.refuse(LastRefusal.of(LastRefusal.By.KUBELET, rejected), now);
    }

    /**
     * Leaves out the nodes that refused these members, as long as {@code pod} names the same UID of a pod, or whatever
     * the pod if that is empty.
     */
    private void avoid(
            RecordUpdate update, Promise promise, List<Member> refused, long now, Function<Member, String> pod) {
        TreeMap<String, NodeAvoidance> avoided = new TreeMap<>(update.after().avoided());
        long until = now + avoidedFor(update.before().history().attempts());
        // The gang must not return to nodes of earlier refusals while it tries others.
        avoided.replaceAll(
                (_, knownAvoidance) -> knownAvoidance.until() < until ? knownAvoidance.lasting(until) : knownAvoidance);
        for (Member member : refused) {
            promise.window().placements().stream()
                    .filter(placement -> placement.pod().equals(member.pod()))
                    .forEach(placement -> avoided.put(
                            placement.node(),
                            new NodeAvoidance(until, pod.apply(member), surroundings.nodeUid(placement.node()))));
        }
        update.become(update.after().avoiding(avoided));
    }

    /** Returns how long a node is left out after this number of rollbacks of the gang, seconds. */
    static long avoidedFor(int attempts) {
        return Math.min(MOST_AVOIDED_SECONDS, AVOIDED_SECONDS << Math.min(attempts, 10));
    }

    /**
     * Returns until when a gang is left out of plans after repeated refusals, so that its tries take no room from
     * others. This is half of the time for which the nodes are left out, so that the gang tries other nodes first.
     *
     * @return seconds since the epoch; empty if the gang is not left out
     */
    static OptionalLong pauseEnd(GangRecord record) {
        int attempts = record.history().attempts();
        boolean refused = record.phase() == Phase.PENDING
                && record.promise() == null
                && attempts > 1
                && !record.avoided().isEmpty()
                && record.history().lastRefusal() != null;
        return refused
                ? OptionalLong.of(record.plannedAspect().since() + avoidedFor(attempts - 1) / 2)
                : OptionalLong.empty();
    }

    private static String names(List<Member> members) {
        return PodNames.shortly(members.stream().map(Member::pod).toList());
    }

    /**
     * Stops leaving a node out after its time, or when the node or the refused pod has been replaced by another one of
     * the same name.
     */
    void forget(RecordUpdate update, List<Member> members, long now) {
        if (update.after().avoided().isEmpty()) {
            return;
        }
        Set<String> pods = members.stream().map(Member::uid).collect(Collectors.toSet());
        TreeMap<String, NodeAvoidance> left = new TreeMap<>(update.after().avoided());
        if (left.entrySet().removeIf(entry -> isOver(entry.getKey(), entry.getValue(), pods, now))) {
            update.become(update.after().avoiding(left));
        }
    }

    private boolean isOver(String name, NodeAvoidance avoidance, Set<String> pods, long now) {
        String node = surroundings.nodeUid(name);
        // Without any visible pod nothing is known.
        boolean otherPod = !avoidance.pod().isEmpty() && !pods.isEmpty() && !pods.contains(avoidance.pod());
        boolean otherNode = !avoidance.node().isEmpty() && !node.isEmpty() && !node.equals(avoidance.node());
        return avoidance.until() <= now || otherPod || otherNode;
    }
}
