package io.slotwise.live.cycle;

import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.time.Durations;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterView.Remade;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.PodNames;
import io.slotwise.live.record.StartedMembers;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Applies the policy to a running gang. With {@code member-loss: restart} the gang is stopped when it has lost a
 * member. With {@code overrun: evict} members that run past their promised ends are evicted. The owner is told when the
 * room for late pods is given up. The result depends only on the components and on {@code now}.
 *
 * @param remade returns how a controller recreates the gang's pods; empty if it does not recreate all of them
 * @param evictedFrom returns the second from which on a member is evicted
 * @param members its existing pods and the late ones, which do not exist yet
 */
record RunningGangCheck(
        LoopSettings settings,
        Function<GangRecord, Optional<Remade>> remade,
        ToLongFunction<Placement> evictedFrom,
        GangRecord record,
        Window window,
        List<Member> members) {
    /** Updates the gang as of {@code now}. O(members). */
    void settle(RecordUpdate update, long now) {
        tellGivenUp(update, now);
        List<String> lost = settings.memberLoss() == LoopSettings.MemberLoss.RESTART ? lost(now) : List.of();
        if (!lost.isEmpty() && mayRestart()) {
            Optional<Remade> backRemade = remade.apply(record);
            if (backRemade.isPresent()) {
                restart(update, lost, backRemade.get(), now);
                return;
            }
        }
        List<Member> overdue = overdue(now);
        if (!overdue.isEmpty()) {
            update.endOverdue(overdue);
        }
    }

    /**
     * Tells the owner that the room of late pods was given up. The announcement is repeated for as long as the room had
     * been kept, so that a new leader makes it too.
     */
    private void tellGivenUp(RecordUpdate update, long now) {
        long since = now - record.history().startedAt().orElse(now) - StartedMembers.LATE_SECONDS;
        List<String> missing =
                members.stream().filter(Member::isComing).map(Member::pod).toList();
        if (!missing.isEmpty() && since >= 0 && since < StartedMembers.LATE_SECONDS) {
            update.tell(Reason.LATE_PODS_GIVEN_UP, new GivenUp(missing));
        }
    }

    /** The reason for giving up the room of late pods, which did not come in time. */
    private record GivenUp(List<String> pods) implements ReasonStatement {
        @Override
        public String message() {
            return ("%s did not come within %s of the start: their room is given up, and they are placed where there "
                            + "is room when they come")
                    .formatted(PodNames.shortly(pods), Durations.brief(StartedMembers.LATE_SECONDS));
        }

        @Override
        public String topic() {
            return "late-seats";
        }
    }

    /**
     * Returns whether the gang may be restarted. The UIDs of its pods must be known, because another gang may have the
     * same name.
     */
    private boolean mayRestart() {
        return record.startedMembers().areKnown() && bound().findAny().isPresent();
    }

    private Stream<Member> bound() {
        return members.stream().filter(member -> member.state() == Member.State.BOUND);
    }

    /**
     * Returns the pods that are gone without having finished. {@link MemberEnds} records every member that was seen to
     * end, so a missing one without a record was lost. A deleted member counts as lost after its grace period: if the
     * gang is deleted as a whole, all others are terminating by then. A member that was evicted for overrun is not
     * lost, nor is one that another pod has replaced.
     */
    private List<String> lost(long now) {
        Map<String, Member> present = new HashMap<>();
        members.forEach(member -> present.put(member.pod(), member));
        List<String> lost = new ArrayList<>();
        for (Placement placement : window.placements()) {
            if (!record.history().ends().containsKey(placement.pod())
                    && isLost(placement, present.get(placement.pod()), now)) {
                lost.add(placement.pod());
            }
        }
        return lost.size() <= joined() ? List.of() : lost;
    }

    /** Returns how many pods have replaced pods with which the gang started. */
    private long joined() {
        Set<String> first = Set.copyOf(window.pods());
        return bound().filter(member -> !first.contains(member.pod())
                        && !record.startedMembers().isLate(member.pod()))
                .count();
    }

    private boolean isLost(Placement placement, @Nullable Member member, long now) {
        if (member != null && (!member.state().isOver() || member.succeeded())) {
            return false;
        }
        long endedAt = member == null ? now : member.endedAt().orElse(now);
        return endedAt <= now && endedAt < evictedFrom.applyAsLong(placement);
    }

    private void restart(RecordUpdate update, List<String> lost, Remade remade, long now) {
        MigrationHistory before = record.history().history();
        long longest = window.placements().stream()
                .mapToLong(placement -> placement.end() - placement.start())
                .max()
                .orElse(1);
        long runtime = record.terms().runtime() > 0 ? record.terms().runtime() : longest;
        MigrationHistory.Rest rest = new MigrationHistory.Rest(
                before == null ? runtime : before.work(),
                before == null ? 0 : before.overhead(),
                remade.request(),
                now + remade.timing().back());
        List<Member> leaving = bound().toList();
        MigrationHistory history = MigrationHistory.of(
                record,
                window,
                ends(now),
                rest,
                leaving.stream().map(Member::uid).collect(Collectors.toCollection(TreeSet::new)),
                now);
        update.restart(
                "%s %s lost while the gang ran: all of its pods are evicted, to be recreated and planned again"
                        .formatted(PodNames.shortly(lost), lost.size() == 1 ? "was" : "were"),
                history,
                leaving,
                now);
    }

    private SortedMap<String, Long> ends(long now) {
        SortedMap<String, Long> ends = new TreeMap<>(record.history().ends());
        long startedAt = record.history().startedAt().orElse(window.start());
        members.forEach(member ->
                member.end(now).ifPresent(end -> ends.putIfAbsent(member.pod(), Math.max(startedAt, end))));
        return ends;
    }

    private List<Member> overdue(long now) {
        Map<String, Long> until = new HashMap<>();
        window.placements().forEach(placement -> until.put(placement.pod(), evictedFrom.applyAsLong(placement)));
        return GangLifecycle.inTheirPlaces(window, members).stream()
                .filter(member -> now >= until.getOrDefault(member.pod(), Long.MAX_VALUE))
                .toList();
    }
}
