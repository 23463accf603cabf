package io.slotwise.kubernetes.crd.v1alpha1;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.work.InternalFailure;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reason of a condition from its key and figures, as {@link io.slotwise.report.RefusalFigures} writes them.
 */
final class StoredRefusal {
    private final Map<String, Object> figures;

    private StoredRefusal(Map<String, Object> figures) {
        this.figures = figures;
    }

    /** The reason; null: the condition has none, or one that this version does not know or cannot read. */
    static @Nullable Refusal read(ReservationStatus.Condition condition) {
        for (Refusal.Kind kind : Refusal.Kind.values()) {
            if (kind.key().equals(condition.key())) {
                try {
                    Refusal refusal = new StoredRefusal(condition.figures()).refusal(kind, condition.message());
                    // Figures that no replica would write may have no words.
                    return refusal.message().isEmpty() ? null : refusal;
                } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
                    return null;
                }
            }
        }
        return null;
    }

    private Refusal refusal(Refusal.Kind kind, String message) {
        return switch (kind) {
            case INVALID_REQUEST ->
                new Refusal.InvalidRequest(message, figures.containsKey("field") ? text("field") : null);
            case WAITING_FOR_MEMBERS -> new Refusal.WaitingForMembers(count("present"), count("size"));
            case WAITING_FOR_GENERATION -> new Refusal.WaitingForGeneration(count("pods"));
            case WAITING_FOR_GROUP -> new Refusal.WaitingForGroup(text("kind"), text("api"), text("name"));
            case FOREIGN_GATE -> new Refusal.ForeignGate(text("pod"), text("gate"));
            case WAITING_FOR_VOLUME ->
                new Refusal.WaitingForVolume(
                        text("pod"), text("claim"), claimState(), figures.containsKey("other") ? text("other") : "");
            case WAITING_FOR_DEVICE ->
                new Refusal.WaitingForDevice(
                        text("pod"),
                        text("claim"),
                        deviceClaimState(),
                        figures.containsKey("other") ? text("other") : "");
            case UNPLANNED_DEVICE -> new Refusal.UnplannedDevice(text("pod"), text("claim"), text("feature"));
            case NO_ELIGIBLE_NODE -> new Refusal.NoEligibleNode(count("nodes"), excluded(), lacking());
            case TOO_LARGE ->
                new Refusal.TooLarge(
                        count("size"), number("room"), figures.containsKey("topology") ? text("topology") : null);
            case OVER_BUDGET -> new Refusal.OverBudget(money("cheapest"), second("start"), money("budget"), isAtOnce());
            case OVER_SLOT_PRICE -> new Refusal.OverSlotPrice(money("limit"));
            case DEADLINE -> new Refusal.Deadline(second("deadline"), second("start"), second("end"), isAtOnce());
            case LONGER_THAN_HORIZON ->
                new Refusal.LongerThanHorizon(number("runtimeSeconds"), number("horizonSeconds"));
            case BEYOND_HORIZON -> new Refusal.BeyondHorizon(second("earliestStart"), number("horizonSeconds"));
            case ENDS_BEYOND_HORIZON ->
                new Refusal.EndsBeyondHorizon(
                        second("earliestStart"), number("runtimeSeconds"), number("horizonSeconds"));
            case BEHIND_PROMISES -> new Refusal.BehindPromises(gangOrNull("gang"), second("start"), count("others"));
            case NO_WINDOW -> new Refusal.NoWindow(count("size"), number("horizonSeconds"));
            case POD_RULES -> new Refusal.PodRules(text("rule"), text("label"), count("pods"), count("domains"));
            case BEHIND_RULE -> new Refusal.BehindRule(text("rule"), gangOrNull("gang"));
            case NO_DOMAIN -> new Refusal.NoDomain(text("label"));
            case NOT_BACKFILLED -> new Refusal.NotBackfilled();
            case NOT_BEFORE -> new Refusal.NotBefore(second("earliestStart"));
            case BACKING_OFF -> new Refusal.BackingOff(count("attempts"), second("until"), text("why"));
            case BATCH_LIMIT -> new Refusal.BatchLimit(text("limit"), text("least"), text("allowed"), text("whole"));
            case NAMESPACE_BUDGET ->
                new Refusal.NamespaceBudget(text("namespace"), money("left"), money("cheapest"), second("until"));
            case BEHIND -> new Refusal.Behind(gangOrNull("gang"), second("start"));
            case AWAITS_RESERVATION -> new Refusal.AwaitsReservation(gang("reservation"), text("why"));
            case AFTER_MISSING -> new Refusal.AfterMissing(gangOrNull("gang"));
            case AFTER_PENDING -> new Refusal.AfterPending(gangOrNull("gang"));
            case AFTER_CIRCLE -> new Refusal.AfterCircle(gangOrNull("gang"));
            case INTERNAL_ERROR -> new Refusal.Failed(InternalFailure.named(text("error")));
        };
    }

    private Object figure(String name) {
        Object figure = figures.get(name);
        if (figure == null) {
            throw new IllegalArgumentException("The figure %s is missing.".formatted(name));
        }
        return figure;
    }

    private String text(String name) {
        if (figure(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("The figure %s is not text.".formatted(name));
    }

    private long number(String name) {
        return whole(figure(name));
    }

    private int count(String name) {
        return number(figure(name));
    }

    private static int number(Object figure) {
        if (figure instanceof Integer number) {
            return number;
        }
        throw new IllegalArgumentException("A figure is not a count.");
    }

    private static long whole(Object figure) {
        if (figure instanceof Long number) {
            return number;
        }
        return number(figure);
    }

    private Money money(String name) {
        return Money.parse(text(name));
    }

    private long second(String name) {
        return Instant.parse(text(name)).getEpochSecond();
    }

    private boolean isAtOnce() {
        return Boolean.TRUE.equals(figures.get("atOnce"));
    }

    private GangId gang(String name) {
        String text = text(name);
        int slash = text.indexOf('/');
        return new GangId(text.substring(0, Math.max(0, slash)), text.substring(slash + 1));
    }

    /** One that the record may not name is left out. */
    private @Nullable GangId gangOrNull(String name) {
        return figures.containsKey(name) ? gang(name) : null;
    }

    private Refusal.WaitingForVolume.ClaimState claimState() {
        Refusal.WaitingForVolume.ClaimState state = Refusal.WaitingForVolume.ClaimState.of(text("state"));
        if (state == null) {
            throw new IllegalArgumentException("The state of the claim (%s) is not known.".formatted(text("state")));
        }
        return state;
    }

    private Refusal.WaitingForDevice.DeviceClaimState deviceClaimState() {
        Refusal.WaitingForDevice.DeviceClaimState state = Refusal.WaitingForDevice.DeviceClaimState.of(text("state"));
        if (state == null) {
            throw new IllegalArgumentException(
                    "The state of the device claim (%s) is not known.".formatted(text("state")));
        }
        return state;
    }

    /** Empty in a record of a version that did not know it. */
    private Map<String, Integer> lacking() {
        Map<String, Integer> lacking = new HashMap<>();
        if (figures.get("lacking") instanceof Map<?, ?> counts) {
            counts.forEach((resource, count) -> lacking.put(String.valueOf(resource), number(count)));
        }
        return lacking;
    }

    private Map<Exclusion, Integer> excluded() {
        Map<Exclusion, Integer> excluded = new EnumMap<>(Exclusion.class);
        if (figure("excluded") instanceof Map<?, ?> counts) {
            for (Exclusion exclusion : Exclusion.values()) {
                Object count = counts.get(exclusion.key());
                if (count != null) {
                    excluded.put(exclusion, number(count));
                }
            }
        }
        return excluded;
    }
}
