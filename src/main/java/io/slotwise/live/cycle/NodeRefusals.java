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
 * Rolls back gangs whose members were late or refused, and leaves the nodes that refused them out of their plans for a
 * while.
 */
record NodeRefusals(GangLifecycle.Surroundings surroundings) {
    /**
     * How long a node that refused a gang is left out for that gang the first time, seconds; each time that it is
     * rolled back that doubles.
     */
    static final long AVOIDED_SECONDS = 30;

    /** The longest that a node is left out, seconds. */
    static final long MOST_AVOIDED_SECONDS = 3600;

    /**
     * Takes a released gang back. Members on which kube-scheduler has a word are at fault; without any it was away
     * itself.
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

    /** Rolls a gang back that a kubelet has refused. The pod is Failed for good: only a controller makes it again. */
    void reject(RecordUpdate update, Promise promise, List<Member> rejected, long now) {
        // Another pod comes instead of one that a kubelet has refused, and asks for the same.
        avoid(update, promise, rejected, now, _ -> "");
        update.refuse(LastRefusal.of(LastRefusal.By.KUBELET, rejected), now);
    }

    /**
     * Leaves the nodes out for a while that have refused these members.
     *
     * @param pod the UID of the pod that has to be the same for that; empty: whichever
     */
    private void avoid(
            RecordUpdate update, Promise promise, List<Member> refused, long now, Function<Member, String> pod) {
        TreeMap<String, NodeAvoidance> avoided = new TreeMap<>(update.after().avoided());
        long until = now + avoidedFor(update.before().history().attempts());
        // Where it was refused before it is not to go while it is tried elsewhere.
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

    /** How long a node that refused a gang is left out after it was rolled back so many times before, seconds. */
    static long avoidedFor(int attempts) {
        return Math.min(MOST_AVOIDED_SECONDS, AVOIDED_SECONDS << Math.min(attempts, 10));
    }

    /**
     * Until when a gang is left out of plans that kube-scheduler or kubelets have refused twice and more, so that its
     * tries take no room from others; half of the time for which the nodes are left out, so that it is tried elsewhere
     * first. A pod or a node that is another one since has refused nothing.
     *
     * @return seconds since the epoch; empty: it is not left out
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
     * A node is looked at again after its time, or when it or the pod that it refused is another one under the same
     * name.
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
        // While no pod is seen at all nothing is known of them.
        boolean otherPod = !avoidance.pod().isEmpty() && !pods.isEmpty() && !pods.contains(avoidance.pod());
        boolean otherNode = !avoidance.node().isEmpty() && !node.isEmpty() && !node.equals(avoidance.node());
        return avoidance.until() <= now || otherPod || otherNode;
    }
}
