package io.slotwise.report;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.DomainChoice.Compared;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.DomainComparison.LeftOut;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.RequestChange;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import io.slotwise.report.PlanReport.WindowRow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The planner's decision about one gang and its reasons, in sentences. */
public final class Explanation {
    private static final int MOST_ALTERNATIVES = 10;

    private Explanation() {}

    /**
     * Returns the gangs of the plan that a user may mean by {@code name}, sorted. The name is {@code NAMESPACE/NAME} or
     * only a plain name.
     */
    public static List<GangId> matching(Plan plan, String name) {
        return gangs(plan).stream()
                .filter(gang -> gang.toString().equals(name) || gang.name().equals(name))
                .toList();
    }

    public static List<GangId> gangs(Plan plan) {
        return Stream.concat(
                        plan.windows().stream().map(planned -> planned.gang().id()),
                        plan.pending().stream().map(Pending::gang))
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the sentences about a gang of the plan, including one for each advice. */
    public static List<String> of(Plan plan, GangId gang, List<Advice> advice, Currency currency) {
        List<String> lines = new ArrayList<>();
        Optional<Planned> planned = plan.windows().stream()
                .filter(plannedGang -> plannedGang.gang().id().equals(gang))
                .findFirst();
        planned.ifPresent(plannedGang -> window(lines, plan, plannedGang, currency));
        plan.moves().stream().filter(move -> move.gang().id().equals(gang)).forEach(move -> lines.add(moved(move)));
        plan.choices().stream()
                .filter(choice -> choice.gang().equals(gang))
                .findFirst()
                .ifPresent(choice -> choice(lines, plan, choice, currency));
        plan.domains().stream()
                .filter(domains -> domains.gang().equals(gang))
                .findFirst()
                .ifPresent(domains -> lines.addAll(DomainLines.of(domains, currency)));
        plan.pending().stream()
                .filter(pending -> pending.gang().equals(gang))
                .findFirst()
                .ifPresent(pending -> refusal(lines, pending, advice, currency));
        if (planned.isPresent() && !advice.isEmpty()) {
            long start = planned.get().window().start();
            lines.add(AdviceLine.heading(advice.stream()
                    .allMatch(changeAdvice -> changeAdvice.window().start() < start)));
        }
        advice.forEach(changeAdvice -> lines.add(AdviceLine.of(changeAdvice, currency)));
        plan.broken().stream()
                .filter(broken -> broken.gang().equals(gang))
                .forEach(broken -> lines.add(brokenPromise(broken)));
        return List.copyOf(lines);
    }

    private static void window(List<String> lines, Plan plan, Planned planned, Currency currency) {
        WindowRow row = WindowRow.of(planned, currency);
        lines.add("%s has a window: %d %s together at %s (%s), the last ends at %s (runtime %s)."
                .formatted(
                        row.gang(),
                        row.placement().size(),
                        row.placement().size() == 1 ? "pod starts" : "pods start",
                        TimeText.instant(row.start()),
                        TimeText.relative(plan.now(), row.start()),
                        TimeText.instant(row.end()),
                        TimeText.duration(row.end() - row.start())));
        Money budget = row.budget();
        lines.add(
                budget == null
                        ? "It costs %s; the gang has no budget.".formatted(currency.of(row.cost()))
                        : "It costs %s of a budget of %s.".formatted(currency.of(row.cost()), currency.of(budget)));
        if (row.delayValue() != null && row.valueOfTime() != null) {
            lines.add("An earlier end is worth %s to it: its delay until then counts as %s, cost and delay as %s."
                    .formatted(
                            WindowRow.hour(currency, row.valueOfTime(), row.valueUntil()),
                            currency.of(row.delayValue()),
                            currency.of(new Cost(planned.window().costWithDelay(planned.gang())).roundedUp())));
        }
        if (row.row() != null) {
            lines.add(row.row().message());
        }
        if (row.promisedBy() != null) {
            lines.add("This is the expected start; the promised latest start is %s."
                    .formatted(TimeText.instant(row.promisedBy())));
        }
        limits(lines, planned, currency);
        String before = planned.kept() ? ", which it had been promised before" : "";
        lines.add(
                planned.origin() == WindowOrigin.ONLINE
                        ? "It was placed at once in one resource domain%s.".formatted(before)
                        : "Its criterion is %s; the %s part of the cycle gave it this window%s."
                                .formatted(row.criterion(), row.via(), before));
        for (WindowRow.PodRow pod : row.placement()) {
            lines.add("  %s on %s until %s for %s"
                    .formatted(pod.pod(), pod.node(), TimeText.instant(pod.end()), currency.of(pod.cost())));
        }
    }

    private static String moved(Move move) {
        return "It runs on %s and is moved %s; %s of its work are left on a node of performance 1."
                .formatted(
                        String.join(", ", PlanReport.nodes(move.window())),
                        move.purpose().words(),
                        TimeText.duration(move.work()));
    }

    /** Adds the alternatives, the chosen one, and why it is not the gang's best. */
    private static void choice(List<String> lines, Plan plan, ChoiceExplanation choice, Currency currency) {
        List<Window> windows = choice.alternatives();
        lines.add("%d %s found, best first by its criterion; number %d was chosen (loss of utility %s %%): %s."
                .formatted(
                        windows.size(),
                        windows.size() == 1 ? "alternative was" : "alternatives were",
                        choice.chosen() + 1,
                        BigDecimal.valueOf(choice.loss(), 4)
                                .stripTrailingZeros()
                                .toPlainString(),
                        choice.reason()));
        saving(lines, windows, windows.get(choice.chosen()), currency);
        for (int i = 0; i < windows.size(); i++) {
            if (i >= MOST_ALTERNATIVES && i != choice.chosen()) {
                continue;
            }
            Window window = windows.get(i);
            lines.add("  %s%d. at %s (%s), runtime %s, processor time %s, for %s"
                    .formatted(
                            i == choice.chosen() ? "> " : "",
                            i + 1,
                            TimeText.instant(window.start()),
                            TimeText.relative(plan.now(), window.start()),
                            TimeText.duration(window.runtime()),
                            TimeText.duration(window.processorTime()),
                            currency.of(window.cost().roundedUp())));
        }
        if (windows.size() > MOST_ALTERNATIVES) {
            lines.add("  and %d more".formatted(windows.size() - MOST_ALTERNATIVES));
        }
    }

    private static void saving(List<String> lines, List<Window> windows, Window chosenWindow, Currency currency) {
        windows.stream()
                .min(Comparator.comparingLong(Window::start).thenComparing(Window::cost))
                .filter(soonestWindow -> soonestWindow.start() < chosenWindow.start()
                        && soonestWindow.cost().compareTo(chosenWindow.cost()) > 0)
                .ifPresent(soonestWindow -> lines.add("It waits %s longer than the soonest of them to save %s."
                        .formatted(
                                TimeText.duration(chosenWindow.start() - soonestWindow.start()),
                                currency.of(soonestWindow
                                        .cost()
                                        .minus(chosenWindow.cost())
                                        .roundedUp()))));
    }

    private static void limits(List<String> lines, Planned planned, Currency currency) {
        Money slotPrice = planned.gang().budget().slotPrice();
        if (slotPrice != null) {
            lines.add("No pod pays more than %s per hour within its slot.".formatted(currency.of(slotPrice)));
        }
        if (planned.gang().earliestStart() != Long.MIN_VALUE) {
            lines.add("It may start from %s on."
                    .formatted(TimeText.instant(planned.gang().earliestStart())));
        }
        if (!planned.gang().after().isNone()) {
            lines.add("It starts after %s.".formatted(PredecessorText.of(planned.gang())));
        }
        if (planned.gang().deadline() != Interval.FOREVER) {
            lines.add("Its deadline is %s."
                    .formatted(TimeText.instant(planned.gang().deadline())));
        }
        topology(lines, planned.gang().topology());
    }

    private static void topology(List<String> lines, Topology topology) {
        if (topology.key() != null) {
            lines.add("All its pods are on nodes with one value of the label %s.".formatted(topology.key()));
        }
        Topology.Span narrowestSpan = topology.spans().getFirst();
        if (topology.patience() != null) {
            lines.add("It prefers one %s if it starts at most %s later there."
                    .formatted(narrowestSpan.name(), TimeText.duration(topology.patience())));
        } else if (topology.spans().getLast().factor() > Topology.Span.ONE) {
            lines.add("Its runtime is multiplied by the distance of its pods: %s."
                    .formatted(topology.spans().stream()
                            .map(span -> "%s %s".formatted(span.name(), span.factorText()))
                            .collect(Collectors.joining(", "))));
        }
    }

    private static void refusal(List<String> lines, Pending pending, List<Advice> advice, Currency currency) {
        lines.add("%s has no window: %s."
                .formatted(pending.gang(), pending.refusal().message(currency)));
        if (advice.isEmpty()) {
            lines.add(hint(pending.refusal()));
        }
    }

    /**
     * Returns one sentence on what to do about a refusal. Used if no change of the gang's own request is known to help.
     */
    public static String hint(Refusal refusal) {
        return switch (refusal) {
            case Refusal.OverBudget over ->
                "Raise slotwise.io/budget to %s for a window that starts at %s."
                        .formatted(over.cheapest().brief(), over.atOnce() ? "once" : TimeText.instant(over.start()));
            case Refusal.NoEligibleNode noEligibleNode -> hint(noEligibleNode);
            case Refusal.TooLarge large -> hint(large);
            case Refusal.OverSlotPrice _ ->
                "Raise slotwise.io/max-price, or limit the total instead (slotwise.io/price-limit: total).";
            case Refusal.Deadline deadline -> hint(deadline);
            case Refusal.LongerThanHorizon _ ->
                "Shorten slotwise.io/runtime, or lengthen the policy's planner.horizon.";
            case Refusal.EndsBeyondHorizon _ ->
                "Wait: the gang is planned once its end lies within the horizon. Or shorten "
                        + "slotwise.io/runtime, or lengthen the policy's planner.horizon.";
            case Refusal.BeyondHorizon _ -> "Wait: the gang is planned once its start lies within the horizon.";
            case Refusal.BehindPromises _, Refusal.NoWindow _ ->
                "Reduce the number of pods, shorten slotwise.io/runtime, or lengthen the policy's planner.horizon.";
            case Refusal.PodRules _ ->
                "Relax the pods' spec.affinity or spec.topologySpreadConstraints, or add nodes in further domains.";
            case Refusal.BehindRule behind -> "Wait until %s has started.".formatted(GangId.named(behind.gang()));
            case Refusal.NoDomain _ -> "Set slotwise.io/mode to batch, which may use nodes of several values.";
            case Refusal.NotBackfilled _ -> "Set the policy's study.backfill to conservative or easy.";
            case Refusal.NotBefore before ->
                "Wait until %s, or set the policy's study.backfill to conservative."
                        .formatted(TimeText.instant(before.earliestStart()));
            case Refusal.BackingOff _ ->
                "Fix what kube-scheduler or the kubelet reports; recreated pods are tried at once.";
            case Refusal.WriteRefused _ ->
                "Ask an administrator: the log of the leader names the account, what refuses it and what to do.";
            case Refusal.ForeignGate gate -> "Check which controller should remove the gate %s.".formatted(gate.gate());
            case Refusal.WaitingForVolume waiting -> hint(waiting);
            case Refusal.WaitingForDevice waiting -> hint(waiting);
            case Refusal.UnplannedDevice _ ->
                "Request a number of devices of a class (exactly, with count and CEL selectors), or let "
                        + "kube-scheduler alone schedule the pod.";
            case Refusal.WaitingForMembers waiting -> hint(waiting);
            case Refusal.WaitingForGeneration _ -> "Wait for the owner of the gang to delete them, or delete them.";
            case Refusal.WaitingForGroup waiting ->
                "Create the %s, or set slotwise.io/gang-size on one of the pods.".formatted(waiting.kind());
            case Refusal.InvalidRequest _ -> "Correct the pods' labels and annotations as the message says.";
            case Refusal.AfterMissing _ ->
                "Create that gang, correct slotwise.io/after, or list this gang's namespace in slotwise.io/after-from "
                        + "of that one's.";
            case Refusal.AfterPending _ -> "See why that gang has no window.";
            case Refusal.AfterCircle _ -> "Change slotwise.io/after of one of the gangs.";
            case Refusal.Failed _ -> "Change the gang's request, and report the error.";
            case Refusal.BatchLimit limit ->
                "Raise the policy's batch.limit on %s, or wait for a later cycle.".formatted(limit.limit());
            case Refusal.NamespaceBudget budget -> hint(budget);
            case Refusal.QueueBudget budget -> hint(budget);
            case Refusal.QueueClosed _ -> "Set slotwise.io/queue to another queue, or ask an administrator to open it.";
            case Refusal.QueueFull _ -> "Wait, set slotwise.io/queue to another queue, or raise the limit of this one.";
            case Refusal.Behind behind ->
                "Wait: %s starts at %s.".formatted(GangId.named(behind.gang()), TimeText.instant(behind.start()));
            case Refusal.AwaitsReservation _ ->
                "Wait, or remove the annotation slotwise.io/reservation so that the gang is planned like any other.";
        };
    }

    private static String hint(Refusal.TooLarge large) {
        if (large.slices() != null) {
            return "Make the slices of slotwise.io/topology-slice smaller, or add nodes.";
        }
        return large.room() == 0 && large.topology() != null
                ? "Set slotwise.io/topology to a label that nodes have, or label nodes with %s."
                        .formatted(large.topology())
                : "Split the gang into parts of at most %d pods, or add nodes.".formatted(large.room());
    }

    private static String hint(Refusal.Deadline deadline) {
        return deadline.atOnce()
                ? "Set slotwise.io/deadline to %s from now or later for a window that starts at once."
                        .formatted(TimeText.duration(deadline.end() - deadline.start()))
                : "Set slotwise.io/deadline to %s for a window that starts at %s."
                        .formatted(TimeText.instant(deadline.end()), TimeText.instant(deadline.start()));
    }

    private static String hint(Refusal.WaitingForMembers waiting) {
        return "Create the missing %s, or correct slotwise.io/gang-size."
                .formatted(pods(waiting.size() - waiting.present()));
    }

    private static String pods(int missing) {
        return missing == 1 ? "pod" : missing + " pods";
    }

    private static String hint(Refusal.NamespaceBudget budget) {
        Money money =
                new Money(Math.max(0, budget.cheapest().micros() - budget.left().micros()));
        return "Raise slotwise.io/budget of namespace %s by %s, or wait for the next period (%s)."
                .formatted(budget.namespace(), money.brief(), TimeText.instant(budget.until()));
    }

    private static String hint(Refusal.QueueBudget budget) {
        return "Wait for the next period (%s), set slotwise.io/queue to another queue, or raise the budget of queue %s."
                .formatted(TimeText.instant(budget.until()), budget.queue());
    }

    private static String hint(Refusal.NoEligibleNode noEligibleNode) {
        return noEligibleNode.excluded().containsKey(Exclusion.TOO_SMALL)
                ? "Lower the containers' resources.requests so that a pod fits on one node."
                : "Change the pods' nodeSelector, node affinity or tolerations, or uncordon a node.";
    }

    private static String hint(Refusal.WaitingForVolume waiting) {
        return switch (waiting.state()) {
            case MISSING -> "Create the PersistentVolumeClaim, or correct the pod's spec.volumes.";
            case FOREIGN, DELETING, LOST -> "Delete the PersistentVolumeClaim and create it again.";
            case UNBOUND ->
                "Check the events of the PersistentVolumeClaim, or use a storage class with "
                        + "volumeBindingMode WaitForFirstConsumer.";
            case NO_CLASS -> "Create the StorageClass, or correct the claim's spec.storageClassName.";
            case IN_USE -> "Wait until %s has ended.".formatted(waiting.other());
        };
    }

    private static String hint(Refusal.WaitingForDevice waiting) {
        return switch (waiting.state()) {
            case MISSING -> "Create the ResourceClaim, or correct the pod's spec.resourceClaims.";
            case NO_TEMPLATE -> "Create the ResourceClaimTemplate, or correct the pod's spec.resourceClaims.";
            case FOREIGN, DELETING -> "Delete the ResourceClaim and create it again.";
            case NO_CLASS -> "Create the DeviceClass, or correct the deviceClassName of the claim's request.";
            case IN_USE -> "Wait until one of them has ended.";
            case TOO_MANY -> "Request fewer devices, or request some of them by another claim.";
            case SELECTOR -> "Correct the selectors of the claim and of its DeviceClass.";
        };
    }

    private static String brokenPromise(BrokenPromise broken) {
        return "Its promise of %s was broken (%s): %s"
                .formatted(
                        TimeText.instant(broken.window().start()),
                        broken.cause().key(),
                        broken.message());
    }

    /** An advice in one imperative sentence, the same in all user interfaces. */
    public static final class AdviceLine {
        private static final String EARLIER = "One of these changes would make it start earlier.";
        private static final String OTHER = "One of these changes would give it another window.";

        private AdviceLine() {}

        /** Returns the heading of a planned gang's advice; {@code earlier} if all of it gives an earlier start. */
        public static String heading(boolean earlier) {
            return earlier ? EARLIER : OTHER;
        }

        public static String of(Advice advice, Currency currency) {
            Window window = advice.window();
            return "%s to start at %s, end at %s and cost %s."
                    .formatted(
                            what(advice.change(), currency),
                            TimeText.instant(window.start()),
                            TimeText.instant(window.end()),
                            currency.of(window.cost().roundedUp()));
        }

        private static String what(RequestChange change, Currency currency) {
            if (change instanceof RequestChange.NamespaceBudget budget) {
                return "Raise the budget of namespace %s by %s"
                        .formatted(budget.namespace(), currency.of(budget.money()));
            }
            if (change instanceof RequestChange.QueueBudget budget) {
                return "Raise the budget of queue %s by %s".formatted(budget.queue(), currency.of(budget.money()));
            }
            String words = change.fields().entrySet().stream()
                    .map(entry -> entry.getValue().isEmpty()
                            ? "remove slotwise.io/" + entry.getKey()
                            : "set slotwise.io/%s to %s".formatted(entry.getKey(), entry.getValue()))
                    .collect(Collectors.joining(" and "));
            return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
        }
    }

    /** TOPSIS' table of one gang as text: the figures of each domain, and the domains that were left out. */
    public static final class DomainLines {
        private DomainLines() {}

        static List<String> of(DomainComparison domains, Currency currency) {
            CriterionWeights weights = domains.weights();
            List<String> lines = new ArrayList<>();
            lines.add(("Its mode is %s; TOPSIS compared %d %s with the weights time %s, cost %s and "
                            + "fragmentation %s, the lowest C is best:")
                    .formatted(
                            domains.mode().key(),
                            domains.compared().size(),
                            domains.compared().size() == 1 ? "resource domain" : "resource domains",
                            figure(weights.time()),
                            figure(weights.cost()),
                            figure(weights.fragmentation())));
            for (int i = 0; i < domains.compared().size(); i++) {
                Compared compared = domains.compared().get(i);
                lines.add("  %s%d. %s: start %s, time %s%s, cost %s, room for %d more, distance %s, C %s"
                        .formatted(
                                i == 0 ? "> " : "",
                                i + 1,
                                name(compared.domain()),
                                TimeText.instant(compared.window().start()),
                                TimeText.duration(compared.time()),
                                compared.transfer() == 0
                                        ? ""
                                        : " (of it %s for its input)".formatted(TimeText.duration(compared.transfer())),
                                currency.of(compared.window().cost().roundedUp()),
                                compared.free(),
                                figure(compared.distance()),
                                figure(compared.closeness())));
            }
            for (LeftOut out : domains.leftOut()) {
                lines.add("  %s was left out: %s"
                        .formatted(name(out.domain()), out.why().words()));
            }
            return lines;
        }

        public static String name(String domain) {
            return domain.isEmpty() ? "(no label)" : domain;
        }

        /** Returns a weight, a distance or C with three decimals. */
        public static String figure(double value) {
            return String.format(Locale.ROOT, "%.3f", value);
        }
    }

    /** The predecessors of a gang in words. */
    public static final class PredecessorText {
        private PredecessorText() {}

        static String of(Gang gang) {
            Predecessors after = gang.after();
            String names = after.gangs().stream().map(GangId::toString).collect(Collectors.joining(", "));
            return after.transferBytes() == 0
                    ? names
                    : "%s and the transfer of %d bytes".formatted(names, after.transferBytes());
        }

        /**
         * Returns the names of these gangs. If the reader must not see the namespace of a gang, its name is "a gang of
         * another namespace".
         */
        public static List<String> names(List<GangId> gangs, Predicate<String> namespaces) {
            return gangs.stream()
                    .map(gang -> GangId.named(GangId.asSeen(gang, namespaces)))
                    .distinct()
                    .toList();
        }
    }
}
