package io.slotwise.testing;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Refusal.WaitingForDevice.DeviceClaimState;
import io.slotwise.core.plan.Refusal.WaitingForVolume.ClaimState;
import io.slotwise.core.work.InternalFailure;
import java.util.List;
import java.util.Map;

/** At least one reason of every kind, for the gang {@code user/g}. */
public final class EveryRefusal {
    /** 2030-01-01T00:00:00Z. */
    public static final long NOW = 1_893_456_000L;

    private EveryRefusal() {}

    /** Returns the reasons. Reasons that name a gang of another namespace name this gang. */
    public static List<Refusal> behind(GangId other) {
        Money some = Money.parse("1.25");
        return List.of(
                new Refusal.InvalidRequest(
                        "`slotwise.io/deadline` (2030-01-01T99:00:00Z) of pod user/g-0 is not valid",
                        "slotwise.io/deadline"),
                new Refusal.InvalidRequest("its pods ask for 9 different things"),
                new Refusal.WaitingForMembers(3, 4),
                new Refusal.WaitingForGeneration(2),
                new Refusal.WaitingForGroup("PodGroup", "scheduling.x-k8s.io", "user/g"),
                new Refusal.ForeignGate("user/g-0", "example.com/gate"),
                new Refusal.WaitingForVolume("user/g-0", "user/data", ClaimState.MISSING, ""),
                new Refusal.WaitingForVolume("user/g-0", "user/data", ClaimState.LOST, "pv-1"),
                new Refusal.WaitingForVolume("user/g-0", "user/data", ClaimState.IN_USE, "user/h-0"),
                new Refusal.WaitingForDevice("user/g-0", "user/gpu", DeviceClaimState.MISSING, ""),
                new Refusal.WaitingForDevice("user/g-0", "user/gpu", DeviceClaimState.NO_CLASS, "gpu.example.com"),
                new Refusal.WaitingForDevice("user/g-0", "user/gpu", DeviceClaimState.TOO_MANY, "33"),
                new Refusal.UnplannedDevice("user/g-0", "user/gpu", "adminAccess"),
                new Refusal.NoEligibleNode(0, Map.of(), null),
                new Refusal.NoEligibleNode(7, Map.of(Exclusion.TAINT, 4, Exclusion.TOO_SMALL, 3), null),
                new Refusal.NoEligibleNode(7, Map.of(Exclusion.TOO_SMALL, 7), Map.of("cpu", 7, "nvidia.com/gpu", 2)),
                new Refusal.NoEligibleNode(1, Map.of(Exclusion.TOO_SMALL, 1), Map.of("memory", 1)),
                new Refusal.TooLarge(1, 0, "topology.kubernetes.io/zone", null, null),
                new Refusal.TooLarge(9, 8),
                new Refusal.TooLarge(9, 1L << 40, "topology.kubernetes.io/zone", "zone-a", "rack/3"),
                new Refusal.OverBudget(some, NOW + 600, Money.parse("1"), false),
                new Refusal.OverBudget(some, NOW, Money.parse("1"), true),
                new Refusal.OverSlotPrice(some),
                new Refusal.Deadline(NOW + 60, NOW + 30, NOW + 90, false),
                new Refusal.Deadline(NOW + 60, NOW, NOW + 90, true),
                new Refusal.LongerThanHorizon(1L << 40, 86_400),
                new Refusal.BeyondHorizon(NOW + 1_000_000, 86_400),
                new Refusal.EndsBeyondHorizon(NOW + 1000, 3600, 86_400),
                new Refusal.BehindPromises(other, NOW + 60, 2),
                new Refusal.NoWindow(4, 86_400),
                new Refusal.PodRules("required pod anti-affinity (zone)", "zone", 3, 2),
                new Refusal.BehindRule("required pod anti-affinity (zone)", other),
                new Refusal.NoDomain("topology.kubernetes.io/zone"),
                new Refusal.NotBackfilled(),
                new Refusal.NotBefore(NOW + 3600),
                new Refusal.BackingOff(3, NOW + 60, "kube-scheduler refused g-0: 0/3 nodes are available"),
                new Refusal.WriteRefused("start", "create pods/binding: pods \"...\" is forbidden"),
                new Refusal.BatchLimit("cost", "12", "10", "15"),
                new Refusal.NamespaceBudget("user", some, Money.ZERO, NOW + 86_400),
                new Refusal.QueueClosed("physics", "does not exist"),
                new Refusal.QueueFull("physics", 86_400),
                new Refusal.QueueBudget("physics", some, Money.ZERO, NOW + 86_400),
                new Refusal.Behind(other, NOW + 60),
                new Refusal.AwaitsReservation(new GangId("user", "friday"), "it has no window yet"),
                new Refusal.AfterMissing(other),
                new Refusal.AfterPending(other),
                new Refusal.AfterCircle(other),
                new Refusal.Failed(InternalFailure.named("1f00cafe")));
    }
}
