package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.at;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.TimeValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IntakeTest {
    private static final Resources ONE_CORE = Resources.of(Map.of("cpu", 1000L, "pods", 1L));
    private static final Node FAST = node("n1")
            .editMetadata()
            .addToLabels(AnnotationKeys.PERFORMANCE, "2")
            .endMetadata()
            .build();

    @Test
    void aPodWithoutGangAnnotationsIsAGangOfOne() {
        IntakeResult result = take(pod("p").build());

        Gang gang = result.snapshot().requests().getFirst().gang();
        assertThat(gang.id()).isEqualTo(id("pod-p"));
        assertThat(gang.request().runtime()).isEqualTo(3600);
        assertThat(result.members().keySet()).containsExactly(id("pod-p"));
    }

    @Test
    void aGangThatNoRecordCouldHoldIsRefusedBeforeItsPodsAreThere() {
        IntakeResult result =
                take(member("g", "g-0", AnnotationKeys.GANG_SIZE, "9000").build());

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held())
                .singleElement()
                .satisfies(held -> assertThat(held.refusal())
                        .isInstanceOfSatisfying(
                                Refusal.InvalidRequest.class,
                                invalid -> assertThat(invalid.message())
                                        .startsWith("9000 pods with names of 3 characters")
                                        .endsWith("expected at most 5617 pods")));
    }

    @Test
    void waitingPodsOfOtherSchedulersAreIgnored() {
        Pod foreign = member("g", "g-0", AnnotationKeys.GANG_SIZE, "1")
                .editSpec()
                .withSchedulerName("default-scheduler")
                .endSpec()
                .build();
        Pod silent = pod("p").editSpec().withSchedulerName("other").endSpec().build();
        ClusterObjects objects = objects(List.of(), foreign, silent);

        IntakeResult inCluster = take(objects, Map.of());
        IntakeResult inFiles =
                new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES).take(objects, Map.of(), NOW);

        assertThat(inCluster.snapshot().requests()).isEmpty();
        assertThat(inCluster.warnings()).isEmpty();
        assertThat(inFiles.snapshot().requests()).extracting(r -> r.gang().id()).containsExactly(id("g"));
        assertThat(inFiles.warnings())
                .extracting(IntakeWarning::reason)
                .containsExactly(
                        IntakeWarning.Reason.IGNORED,
                        IntakeWarning.Reason.TRIED,
                        IntakeWarning.Reason.OTHER_SCHEDULER,
                        IntakeWarning.Reason.ASSUMED,
                        IntakeWarning.Reason.ASSUMED);
    }

    @Test
    void podsThatEndedOrAreBeingDeletedAreNoCandidates() {
        Pod ended = pod("a").withNewStatus().withPhase("Succeeded").endStatus().build();
        Pod failed = bound(pod("b"), "n1", -60);
        failed.getStatus().setPhase("Failed");
        Pod deleted = pod("c").editMetadata()
                .withDeletionTimestamp(at(30))
                .endMetadata()
                .build();

        IntakeResult result = take(ended, failed, deleted);

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().cluster().occupations()).isEmpty();
        assertThat(result.members()).isEmpty();
    }

    @Test
    void aJobThatGoesOnNeedsTheRestOfItsGangOnly() {
        Pod last = ofJob(member("g", "g-2", AnnotationKeys.GANG_SIZE, "3"), "u1");
        IntakeResult result = take(
                ofJob(succeeded("g-0").edit(), "u1"), ofJob(succeeded("g-1").edit(), "u1"), last);

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests())
                .singleElement()
                .satisfies(request -> assertThat(request.gang().size()).isEqualTo(1));
    }

    /** As in a file that a user writes, the times at which pods were made and ended are missing. */
    @Test
    void aMemberThatSucceededAtAnUnknownTimeIsNotCounted() {
        Pod old = succeeded("old");
        old.getMetadata().setCreationTimestamp(null);
        Pod next = member("g", "new", AnnotationKeys.GANG_SIZE, "2").build();
        next.getMetadata().setCreationTimestamp(null);

        IntakeResult result = take(old, next);

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held()).containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(1, 2)));
    }

    @Test
    void membersThatSucceededInAnotherRunAreNotCounted() {
        Pod last = ofJob(member("g", "g-2", AnnotationKeys.GANG_SIZE, "2"), "u2");
        Pod alone = member("h", "h-2", AnnotationKeys.GANG_SIZE, "2").build();
        Pod before = succeeded("h-1");
        before.getMetadata().getLabels().put(AnnotationKeys.GANG, "h");

        IntakeResult result = take(ofJob(succeeded("g-0").edit(), "u1"), last, before, alone);

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held())
                .containsExactly(
                        new Pending(id("g"), new Refusal.WaitingForMembers(1, 2)),
                        new Pending(id("h"), new Refusal.WaitingForMembers(1, 2)));
    }

    @Test
    void aRepeatedIndexIsOneMember() {
        Pod one = ofJob(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2"), "u1");
        Pod other = ofJob(member("g", "g-1", AnnotationKeys.GANG_SIZE, "2"), "u1");
        one.getMetadata().getLabels().put("batch.kubernetes.io/job-completion-index", "0");
        other.getMetadata().getLabels().put("batch.kubernetes.io/job-completion-index", "0");

        IntakeResult result = take(one, other);

        assertThat(result.snapshot().held()).containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(1, 2)));
        assertThat(result.snapshot().requests()).isEmpty();
    }

    @Test
    void aReplacementJoinsTheReplacementThatRunsThoughAllFirstMembersAreGone() {
        Pod first = bound(member("g", "a2", AnnotationKeys.GANG_SIZE, "2"), "n1", -60);
        Pod second = member("g", "b2", AnnotationKeys.GANG_SIZE, "2").build();

        IntakeResult result = take(
                objects(List.of(FAST), first, second),
                Map.of(
                        id("pod-a2"),
                        new KnownGang(promise("pod-a2", -60, true, "a2"), OptionalLong.of(NOW - 60), Set.of())));

        assertThat(result.snapshot().requests())
                .extracting(request -> request.gang().id())
                .containsExactly(id("pod-b2"));
        assertThat(result.snapshot().held()).isEmpty();
    }

    @Test
    void aReplacementThatWaitsIsPartOfItsGangAgainWhenNoMemberRuns() {
        Pod waited = member("g", "a2", AnnotationKeys.GANG_SIZE, "2").build();
        Pod other = member("g", "b2", AnnotationKeys.GANG_SIZE, "2").build();

        IntakeResult result = take(
                objects(List.of(FAST), waited, other),
                Map.of(
                        id("pod-a2"),
                        new KnownGang(promise("pod-a2", 100, false, "a2"), OptionalLong.empty(), Set.of())));

        assertThat(result.snapshot().requests())
                .singleElement()
                .satisfies(request -> assertThat(request.gang().pods()).containsExactly("a2", "b2"));
    }

    @Test
    void podsOfANewGenerationWaitForTheLastPodOfTheOldOne() {
        Pod old = bound(
                ofJob(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1"), "u1").edit(), "n1", -60);
        Pod fresh = ofJob(member("g", "g-1", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "5m"), "u2");

        IntakeResult result = take(objects(List.of(FAST), old, fresh), started(-60));

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held())
                .containsExactly(new Pending(id("pod-g-1"), new Refusal.WaitingForGeneration(1)));
    }

    private static Pod ofJob(PodBuilder pod, String uid) {
        return pod.editMetadata()
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName("t")
                .withUid(uid)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    @Test
    void theNextPodsOfAJobThatHasMoreThanItsGangWaitForEachOther() {
        Pod next = ofJob(member("g", "g-3", AnnotationKeys.GANG_SIZE, "3"), "u1");
        IntakeResult result = take(
                ofJob(succeeded("g-0").edit(), "u1"),
                ofJob(succeeded("g-1").edit(), "u1"),
                ofJob(succeeded("g-2").edit(), "u1"),
                next);

        assertThat(result.snapshot().held()).containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(1, 3)));
    }

    private static Pod succeeded(String name) {
        return member("g", name, AnnotationKeys.GANG_SIZE, "3")
                .editOrNewStatus()
                .withPhase("Succeeded")
                .endStatus()
                .build();
    }

    @Test
    void aGangWaitsForItsMembers() {
        IntakeResult result = take(
                member("g", "g-0", AnnotationKeys.GANG_SIZE, "3").build(),
                member("g", "g-1").build());

        assertThat(result.snapshot().held()).containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(2, 3)));
        assertThat(result.members().get(id("g"))).hasSize(2);
    }

    @Test
    void aForeignGateHoldsTheGangBack() {
        IntakeResult gated = take(pod("p").editSpec()
                .addNewSchedulingGate(AnnotationKeys.WINDOW_GATE)
                .addNewSchedulingGate("kueue.x-k8s.io/admission")
                .endSpec()
                .build());
        IntakeResult ours = take(pod("p").editSpec()
                .addNewSchedulingGate(AnnotationKeys.WINDOW_GATE)
                .endSpec()
                .build());

        assertThat(gated.snapshot().held())
                .containsExactly(
                        new Pending(id("pod-p"), new Refusal.ForeignGate("user/p", "kueue.x-k8s.io/admission")));
        assertThat(ours.snapshot().requests()).hasSize(1);
    }

    @Test
    void podsOfOneGangMayAskForDifferentThings() {
        IntakeResult resources = take(
                member("g", "g-0", AnnotationKeys.GANG_SIZE, "2").build(),
                member("g", "g-1")
                        .editSpec()
                        .addToOverhead("cpu", new io.fabric8.kubernetes.api.model.Quantity("1"))
                        .endSpec()
                        .build());
        IntakeResult selector = take(
                member("g", "g-0", AnnotationKeys.GANG_SIZE, "2").build(),
                member("g", "g-1")
                        .editSpec()
                        .addToNodeSelector("a", "b")
                        .endSpec()
                        .build());

        for (IntakeResult result : List.of(resources, selector)) {
            assertThat(result.snapshot().requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.gang().shapes())
                            .extracting(Gang.Shape::pods)
                            .containsExactly(List.of("g-0"), List.of("g-1")));
        }
    }

    @Test
    void podsOfOneGangMayAskForEightDifferentThingsAtMost() {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            pods.add(member("g", "g-" + i, AnnotationKeys.GANG_SIZE, "9")
                    .editSpec()
                    .addToOverhead("cpu", new io.fabric8.kubernetes.api.model.Quantity("" + (i + 1)))
                    .endSpec()
                    .build());
        }

        IntakeResult result = take(pods.toArray(Pod[]::new));

        assertThat(result.snapshot().held().getFirst().refusal().message())
                .isEqualTo("its pods ask for 9 different things: expected at most 8");
    }

    @Test
    void podsBeyondTheSizeArePlannedSinglyWithTheirShareOfTheBudget() {
        Pod late = member("g", "g-a").build();
        late.getMetadata().setCreationTimestamp(at(-1));

        IntakeResult result = take(
                late,
                member(
                                "g",
                                "g-b",
                                AnnotationKeys.GANG_SIZE,
                                "2",
                                AnnotationKeys.BUDGET,
                                "5",
                                AnnotationKeys.RUNTIME,
                                "60s")
                        .build(),
                member("g", "g-c").build());

        assertThat(result.snapshot().requests()).extracting(r -> r.gang().id()).containsExactly(id("g"), id("pod-g-a"));
        assertThat(result.snapshot().requests().getFirst().gang().pods()).containsExactly("g-b", "g-c");
        Gang single = result.snapshot().requests().getLast().gang();
        assertThat(single.pods()).containsExactly("g-a");
        assertThat(single.budget().total()).isEqualTo(Money.parse("2.5"));
        assertThat(single.request().runtime()).isEqualTo(60);
    }

    @Test
    void boundPodsHoldTheirRoomUntilTheirExpectedEnd() {
        Pod stated = bound(
                pod("a").editMetadata()
                        .addToAnnotations(AnnotationKeys.RUNTIME, "600s")
                        .endMetadata()
                        .editSpec()
                        .withSchedulerName("x")
                        .endSpec(),
                "n1",
                -100);
        Pod limited = bound(
                pod("b").editSpec()
                        .withSchedulerName("x")
                        .withActiveDeadlineSeconds(500L)
                        .endSpec(),
                "n1",
                -100);
        Pod endless = bound(pod("c").editSpec().withSchedulerName("x").endSpec(), "n1", -100);
        Pod ours = bound(pod("d"), "n1", -100);

        assertThat(occupations(take(objects(List.of(FAST), stated, limited, endless, ours), Map.of())))
                .containsExactly(
                        occupation("user/a", -100, 200),
                        occupation("user/b", -100, 400),
                        new Occupation("user/c", "n1", ONE_CORE, new Interval(NOW - 100, Interval.FOREVER)),
                        occupation("user/d", -100, 1700));
    }

    @Test
    void aStartThatIsNotReportedYetIsTheBinding() {
        Pod pod = pod("p").editSpec()
                .withNodeName("n1")
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("True")
                .withLastTransitionTime(at(-7))
                .endCondition()
                .endStatus()
                .build();
        Pod silent = pod("q").editSpec().withNodeName("n1").endSpec().build();

        assertThat(occupations(take(pod, silent)))
                .containsExactly(occupation("user/p", -7, 3593), occupation("user/q", 0, 3600));
    }

    @Test
    void aPodPastItsEndAndTheTurnoverHoldsItsRoomForTheGraceAtATime() {
        assertThat(endOfPodThatShouldHaveEnded(0)).isEqualTo(new End(60, true));
        assertThat(endOfPodThatShouldHaveEnded(59)).isEqualTo(new End(1, true));
        assertThat(endOfPodThatShouldHaveEnded(60)).isEqualTo(new End(60, true));
        assertThat(endOfPodThatShouldHaveEnded(-1)).isEqualTo(new End(1, false));
    }

    @Test
    void withinTheTurnoverNothingHasOverrun() {
        LoopSettings settings = LoopSettings.EXACT.withPolicy(Policy.EXACT.withTurnover(5));
        Pod pod = bound(pod("p").editSpec().withActiveDeadlineSeconds(100L).endSpec(), "n1", -104);
        Pod late = bound(pod("q").editSpec().withActiveDeadlineSeconds(100L).endSpec(), "n1", -105);

        List<Occupation> occupations = occupations(
                new Intake(settings, PriceCatalogue.EMPTY).take(objects(List.of(), pod, late), Map.of(), NOW));

        assertThat(occupations)
                .containsExactly(
                        occupation("user/p", -104, -4),
                        new Occupation("user/q", "n1", ONE_CORE, new Interval(NOW - 105, NOW + 55), true));
    }

    @Test
    void aTerminatingPodHoldsItsRoomUntilItIsGone() {
        Pod going = bound(pod("p"), "n1", -100);
        going.getMetadata().setDeletionTimestamp(at(30));
        Pod stuck = bound(pod("q"), "n1", -100);
        stuck.getMetadata().setDeletionTimestamp(at(-30));

        assertThat(occupations(take(going, stuck)))
                .containsExactly(occupation("user/p", -100, 30), occupation("user/q", -100, 30));
    }

    @Test
    void aStartedGangHoldsItsRoomAsPlannedFromItsRealStart() {
        Pod first = bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "1h"), "n1", -8);
        Pod late = member("g", "g-1").build();
        KnownGang known = new KnownGang(promise("g", -20, true, "g-0", "g-1"), OptionalLong.of(NOW - 10), Set.of());

        IntakeResult result = take(objects(List.of(FAST), first, late), Map.of(id("g"), known));

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(occupations(result)).containsExactly(late("user/g-0", -10, 590, 10), late("user/g-1", -20, 590, 10));
        assertThat(result.members().get(id("g"))).containsExactly(first, late);
    }

    @Test
    void aLateGangIsExpectedToEndAsPromisedUntilItsOwnEndHasPassed() {
        String created = Instant.ofEpochSecond(NOW - 700).toString();
        Pod unbound = member("g", "g-1")
                .editMetadata()
                .withCreationTimestamp(created)
                .endMetadata()
                .build();

        // The promised start, the real one, and the expected end.
        for (int[] runs : new int[][] {{-10, -7, 590}, {-10, -5, 590}, {-602, -598, 0}, {-598, -597, 2}}) {
            Pod first = bound(
                    member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "1h")
                            .editMetadata()
                            .withCreationTimestamp(created)
                            .endMetadata(),
                    "n1",
                    runs[1]);
            KnownGang known =
                    new KnownGang(promise("g", runs[0], true, "g-0", "g-1"), OptionalLong.of(NOW + runs[1]), Set.of());
            IntakeResult result = take(objects(List.of(FAST), first, unbound), Map.of(id("g"), known));

            assertThat(result.snapshot().cluster().occupations())
                    .allSatisfy(held -> {
                        assertThat(held.interval().end()).isEqualTo(NOW + runs[2]);
                        assertThat(held.late()).isZero();
                        assertThat(held.overrun()).isFalse();
                    })
                    .hasSize(2);
        }
    }

    /** The promises were made by the fast clock, and are kept by it until this clock has caught up. */
    @Test
    void aRunByAFastClockHoldsItsRoomUntilItsEndByThatClock() {
        Pod first = bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "1h"), "n1", 5);
        Pod late = member("g", "g-1").build();
        Pod foreign = bound(
                pod("p").editMetadata()
                        .addToAnnotations(AnnotationKeys.RUNTIME, "10m")
                        .endMetadata(),
                "n1",
                7);
        KnownGang known = new KnownGang(promise("g", -1, true, "g-0", "g-1"), OptionalLong.of(NOW + 5), Set.of());

        IntakeResult result = take(objects(List.of(FAST), first, late, foreign), Map.of(id("g"), known));

        assertThat(occupations(result))
                .containsExactlyInAnyOrder(
                        late("user/g-0", 0, 605, 6), late("user/g-1", -1, 605, 6), occupation("user/p", 0, 307));
    }

    @Test
    void aRunThatBeganFarInTheFutureBeginsNow() {
        Pod first = bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "1h"), "n1", 3600);
        Pod foreign = bound(
                pod("p").editMetadata()
                        .addToAnnotations(AnnotationKeys.RUNTIME, "10m")
                        .endMetadata(),
                "n1",
                3600);
        KnownGang known = new KnownGang(promise("g", 3599, true, "g-0"), OptionalLong.of(NOW + 3600), Set.of());

        IntakeResult result = take(objects(List.of(FAST), first, foreign), Map.of(id("g"), known));

        assertThat(occupations(result))
                .containsExactlyInAnyOrder(occupation("user/g-0", 0, 600), occupation("user/p", 0, 300));
    }

    @Test
    void aGangThatIsOnItsWayKeepsItsRoomWhateverItsPodsSayMeanwhile() {
        Pod one = member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "1h")
                .build();
        Pod other = member("g", "g-1", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "2h")
                .build();

        IntakeResult result = take(objects(List.of(FAST), one, other), known(promise("g", -2, true, "g-0", "g-1")));

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(occupations(result))
                .containsExactly(occupation("user/g-0", -2, 598), occupation("user/g-1", -2, 598));
    }

    @Test
    void aGangThatIsOnItsWayWhenItsWindowIsOverHoldsItsRoomFromNowOn() {
        Pod one = member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "1h")
                .build();
        Pod other = member("g", "g-1").build();

        IntakeResult result = take(objects(List.of(FAST), one, other), known(promise("g", -700, true, "g-0", "g-1")));

        assertThat(result.snapshot().requests()).hasSize(1);
        assertThat(occupations(result)).containsExactly(occupation("user/g-0", 0, 600), occupation("user/g-1", 0, 600));

        IntakeResult before = take(objects(List.of(FAST), one, other), known(promise("g", -700, false, "g-0", "g-1")));
        assertThat(occupations(before)).isEmpty();
    }

    /** The leader that made the start durable may be frozen, and binds the pods as soon as it continues. */
    @Test
    void anUnboundStartedGangHoldsItsRoomFromNowOnAfterItsTime() {
        Pod one = member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "1h")
                .build();
        Pod other = member("g", "g-1").build();
        one.getMetadata().setCreationTimestamp(at(-800));
        other.getMetadata().setCreationTimestamp(at(-800));

        IntakeResult over = take(objects(List.of(FAST), one, other), started(-700));
        assertThat(over.snapshot().requests()).isEmpty();
        assertThat(occupations(over)).containsExactly(occupation("user/g-0", 0, 600), occupation("user/g-1", 0, 600));

        IntakeResult running = take(objects(List.of(FAST), one, other), started(-599));
        assertThat(occupations(running))
                .containsExactly(occupation("user/g-0", -599, 1), occupation("user/g-1", -599, 1));
    }

    private static Map<GangId, KnownGang> started(long start) {
        Promise promise = promise("g", start, true, "g-0", "g-1");
        return Map.of(id("g"), new KnownGang(promise, OptionalLong.of(NOW + start), Set.of()));
    }

    @Test
    void aReplacementInAStartedGangIsPlannedSingly() {
        Pod running = bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.BUDGET, "4"), "n1", -60);
        Pod other = member("g", "g-2").build();
        Pod sameName = member("g", "g-1").build();
        sameName.getMetadata().setCreationTimestamp(at(-5));
        KnownGang known = new KnownGang(promise("g", -60, true, "g-0", "g-1"), OptionalLong.of(NOW - 60), Set.of());

        IntakeResult result = take(objects(List.of(FAST), running, other, sameName), Map.of(id("g"), known));

        assertThat(result.snapshot().requests())
                .extracting(r -> r.gang().id())
                .containsExactly(id("pod-g-1"), id("pod-g-2"));
        assertThat(result.snapshot().requests().getFirst().gang().budget().total())
                .isEqualTo(Money.parse("2"));
        assertThat(occupations(result)).extracting(Occupation::holder).containsExactly("user/g-0");
    }

    @Test
    void aPodThatWasMadeWithinTheSecondOfTheStartIsAReplacement() {
        Pod running = bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2"), "n1", -60);
        Pod sameSecond = member("g", "g-1").build();
        sameSecond.getMetadata().setCreationTimestamp(at(-60));
        KnownGang known = new KnownGang(promise("g", -60, true, "g-0", "g-1"), OptionalLong.of(NOW - 60), Set.of());

        IntakeResult result = take(objects(List.of(FAST), running, sameSecond), Map.of(id("g"), known));

        assertThat(result.snapshot().requests()).extracting(r -> r.gang().id()).containsExactly(id("pod-g-1"));
    }

    @Test
    void aGatedPodIsAReplacementEvenIfItSeemsOlderThanTheStart() {
        Pod running = bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2"), "n1", -60);
        Pod gated = member("g", "g-1")
                .editSpec()
                .addNewSchedulingGate(AnnotationKeys.WINDOW_GATE)
                .endSpec()
                .build();
        gated.getMetadata().setCreationTimestamp(at(-62));
        KnownGang known = new KnownGang(promise("g", -60, true, "g-0", "g-1"), OptionalLong.of(NOW - 60), Set.of());

        IntakeResult result = take(objects(List.of(FAST), running, gated), Map.of(id("g"), known));

        assertThat(result.snapshot().requests()).extracting(r -> r.gang().id()).containsExactly(id("pod-g-1"));
    }

    @Test
    void aMemberLeftFromARollbackHoldsItsRoomAndIsNoRunningGang() {
        Pod left = bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2"), "n1", -5);
        Pod waiting = member("g", "g-1", AnnotationKeys.GANG_SIZE, "2").build();
        KnownGang takenBack = KnownGang.NOTHING.withSeen(NOW - 60).withAttempts(1);

        IntakeResult result = take(objects(List.of(FAST), left, waiting), Map.of(id("g"), takenBack));

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held()).singleElement().satisfies(pending -> {
            assertThat(pending.gang()).isEqualTo(id("g"));
            assertThat(pending.refusal()).isEqualTo(new Refusal.WaitingForMembers(1, 2));
        });
        assertThat(occupations(result)).extracting(Occupation::holder).containsExactly("user/g-0");
    }

    @Test
    void aReplacementStaysSingleWithItsOwnPromise() {
        Pod running = bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2"), "n1", -60);
        Pod replacement = member("g", "g-2").build();
        Promise own = promise("pod-g-2", 100, false, "g-2");

        IntakeResult result = take(
                objects(List.of(FAST), running, replacement),
                Map.of(
                        id("g"),
                                new KnownGang(
                                        promise("g", -60, true, "g-0", "g-1"), OptionalLong.of(NOW - 60), Set.of()),
                        id("pod-g-2"), new KnownGang(own, OptionalLong.empty(), Set.of())));

        assertThat(result.snapshot().requests()).hasSize(1);
        assertThat(result.snapshot().requests().getFirst().promise()).isEqualTo(own);
    }

    @Test
    void aReplacementOfAGangInOneDomainGoesWhereTheOthersAre() {
        Node east = node("n1")
                .editMetadata()
                .addToLabels("zone", "east")
                .endMetadata()
                .build();
        Pod running =
                bound(member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.TOPOLOGY, "zone"), "n1", -60);

        IntakeResult result =
                take(objects(List.of(east), running, member("g", "g-1").build()), Map.of());

        assertThat(result.snapshot().requests().getFirst().gang().topology())
                .isEqualTo(Topology.within(TopologyLevel.of("zone").in("east")));
    }

    @Test
    void aReplacementTakesLongerWhereItIsFarFromTheOthers() {
        Node east = node("n1")
                .editMetadata()
                .addToLabels("zone", "east")
                .endMetadata()
                .build();
        Pod running = bound(
                member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.DISTANCE_COST, "zone=1, cluster=1.6"),
                "n1",
                -60);

        LoopSettings settings =
                LoopSettings.EXACT.withTopology(new TopologyLevels(List.of(List.of("zone")), Patience.NONE));

        IntakeResult result = new Intake(settings, PriceCatalogue.EMPTY)
                .take(objects(List.of(east), running, member("g", "g-1").build()), Map.of(), NOW);

        assertThat(result.snapshot().requests().getFirst().gang().topology().spans())
                .containsExactly(new Span(TopologyLevel.of("zone").in("east"), Span.ONE), new Span(null, 1_600_000));
    }

    @Test
    void lockstepMembersStayUntilTheSlowestEnds() {
        Node slow = node("n2")
                .editMetadata()
                .addToLabels(AnnotationKeys.PERFORMANCE, "0.5")
                .endMetadata()
                .build();
        Pod a = bound(
                member(
                        "g",
                        "g-0",
                        AnnotationKeys.GANG_SIZE,
                        "2",
                        AnnotationKeys.RUNTIME,
                        "100s",
                        AnnotationKeys.LOCKSTEP,
                        "true"),
                "n1",
                -10);
        Pod b = bound(member("g", "g-1"), "n2", -10);

        assertThat(occupations(take(objects(List.of(FAST, slow), a, b), Map.of())))
                .extracting(occupation -> occupation.interval().end() - NOW)
                .containsExactly(190L, 190L);
    }

    @Test
    void aPromisedGangKeepsTheDefaultsOfItsPromiseAndANewOneGetsThoseOfToday() {
        GangDefaults agreed =
                new GangDefaults(600, Criterion.COST, TimeValues.NONE, TimeValues.NO_LIMIT, TopologyLevels.NONE);
        KnownGang promised = new KnownGang(promise("old", 100, false, "old-0"), OptionalLong.empty(), Set.of())
                .withAgreedDefaults(agreed);
        KnownGang broken = new KnownGang(null, OptionalLong.empty(), Set.of()).withAgreedDefaults(agreed);

        IntakeResult result = take(
                objects(
                        List.of(FAST),
                        member("broken", "broken-0", AnnotationKeys.GANG_SIZE, "1")
                                .build(),
                        member("new", "new-0", AnnotationKeys.GANG_SIZE, "1").build(),
                        member("old", "old-0", AnnotationKeys.GANG_SIZE, "1").build(),
                        member(
                                        "stated",
                                        "stated-0",
                                        AnnotationKeys.GANG_SIZE,
                                        "1",
                                        AnnotationKeys.CRITERION,
                                        "finish",
                                        AnnotationKeys.RUNTIME,
                                        "90s")
                                .build()),
                Map.of(id("old"), promised, id("broken"), broken, id("stated"), promised));

        assertThat(result.snapshot().requests().stream()
                        .map(Request::gang)
                        .map(gang -> gang.id().name() + " " + gang.runtime() + " " + gang.criterion()))
                .containsExactly("broken 3600 START", "new 3600 START", "old 600 COST", "stated 90 FINISH");
    }

    @Test
    void aPromiseGoesIntoTheRequestAndRefusedNodesAreAvoided() {
        Promise promise = promise("g", 100, true, "g-0", "g-1");
        Pod[] pods = {
            member("g", "g-0", AnnotationKeys.GANG_SIZE, "2").build(),
            member("g", "g-1").build()
        };

        IntakeResult result = take(
                objects(List.of(FAST), pods),
                Map.of(id("g"), new KnownGang(promise, OptionalLong.empty(), Set.of("n9"))));

        Request request = result.snapshot().requests().getFirst();
        assertThat(request.promise()).isEqualTo(promise);
        assertThat(request.gang().request().constraint().avoided()).containsExactly("n9");
        assertThat(occupations(result)).isEmpty();
    }

    @Test
    void thePlacementOfALostPodGoesToItsReplacement() {
        Promise promise = promise("g", 100, true, "g-a", "g-b", "g-c");

        IntakeResult result = take(
                objects(
                        List.of(FAST),
                        member("g", "g-b", AnnotationKeys.GANG_SIZE, "3").build(),
                        member("g", "g-x").build(),
                        member("g", "g-0").build()),
                Map.of(id("g"), new KnownGang(promise, OptionalLong.empty(), Set.of())));

        Promise reassigned =
                Objects.requireNonNull(result.snapshot().requests().getFirst().promise());
        assertThat(reassigned.released()).isTrue();
        assertThat(reassigned.window().start()).isEqualTo(NOW + 100);
        assertThat(reassigned.window().cost()).isEqualTo(promise.window().cost());
        assertThat(reassigned.window().placements()).extracting(Placement::pod).containsExactly("g-0", "g-b", "g-x");
    }

    @Test
    void aPromiseOfAnotherSizeIsPassedOnUnchanged() {
        Promise promise = promise("g", 100, false, "g-a", "g-b", "g-c");

        IntakeResult result = take(
                objects(
                        List.of(FAST),
                        member("g", "g-a", AnnotationKeys.GANG_SIZE, "2").build(),
                        member("g", "g-b").build()),
                Map.of(id("g"), new KnownGang(promise, OptionalLong.empty(), Set.of())));

        assertThat(result.snapshot().requests().getFirst().promise()).isEqualTo(promise);
    }

    @Test
    void promisedRoomStaysWhileAMemberIsAway() {
        Pod pod = member("g", "g-0", AnnotationKeys.GANG_SIZE, "2").build();

        IntakeResult before = take(objects(List.of(FAST), pod), known(promise("g", 100, false, "g-0", "g-1")));
        IntakeResult after = take(objects(List.of(FAST), pod), known(promise("g", -1, false, "g-0", "g-1")));

        assertThat(before.snapshot().held()).hasSize(1);
        assertThat(occupations(before))
                .containsExactly(occupation("user/g-0", 100, 700), occupation("user/g-1", 100, 700));
        assertThat(after.snapshot().held()).hasSize(1);
        assertThat(occupations(after)).isEmpty();
    }

    @Test
    void theNodeThatAReleasedPodIsPinnedToIsNoWishOfTheGang() {
        Pod pinned = member("g", "g-0", AnnotationKeys.GANG_SIZE, "2")
                .editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues("n1")
                .endMatchField()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
        Pod free = member("g", "g-1").build();

        IntakeResult released = take(objects(List.of(FAST), pinned, free), known(promise("g", 5, true, "g-0", "g-1")));
        IntakeResult unreleased =
                take(objects(List.of(FAST), pinned, free), known(promise("g", 5, false, "g-0", "g-1")));

        assertThat(released.snapshot().requests()).hasSize(1);
        assertThat(released.snapshot()
                        .requests()
                        .getFirst()
                        .gang()
                        .request()
                        .constraint()
                        .affinity())
                .isEmpty();
        assertThat(unreleased.snapshot().requests().getFirst().gang().isUniform())
                .isFalse();
    }

    @Test
    void aBoundPodThatCannotBeReadIsTold() {
        Pod pod = bound(
                pod("p").editMetadata()
                        .addToAnnotations(AnnotationKeys.RUNTIME, "x")
                        .endMetadata(),
                "n1",
                -10);

        IntakeResult result = take(pod);

        assertThat(occupations(result).getFirst().interval().end()).isEqualTo(Interval.FOREVER);
        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly("`slotwise.io/runtime` (x) of pod user/p is not valid: expected a duration in whole "
                        + "seconds such as 90s, 1h30m, 7d or PT1H30M; the pod already runs, and its end is treated "
                        + "as unknown");
    }

    @Test
    void priorityAndArrivalAreTheGangs() {
        Pod first = member("g", "g-0", AnnotationKeys.GANG_SIZE, "2")
                .editSpec()
                .withPriority(7)
                .endSpec()
                .build();
        Pod second = member("g", "g-1").editSpec().withPriority(7).endSpec().build();
        second.getMetadata().setCreationTimestamp(at(-100));
        Pod ageless = pod("p").build();
        ageless.getMetadata().setCreationTimestamp(null);

        IntakeResult result = take(first, second, ageless);

        assertThat(result.snapshot().requests().getFirst().gang().priority()).isEqualTo(7);
        assertThat(result.snapshot().requests().getFirst().gang().arrival()).isEqualTo(NOW - 100);
        assertThat(result.snapshot().requests().getLast().gang().arrival()).isEqualTo(NOW);
    }

    @Test
    void theOrderOfTheObjectsDoesNotMatter() {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            pods.add(member("g" + i % 7, "p" + i, AnnotationKeys.GANG_SIZE, "5").build());
            pods.add(bound(pod("b" + i), "n" + i % 3, -i));
        }
        List<Node> nodes = new ArrayList<>(List.of(
                node("n1").build(),
                node("n2").build(),
                node("n0")
                        .editMetadata()
                        .removeFromLabels(AnnotationKeys.PRICE)
                        .endMetadata()
                        .build()));
        IntakeResult expected = take(ClusterObjects.NONE.withNodes(nodes).withPods(pods), Map.of());

        Random random = new Random(7);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(pods, random);
            Collections.shuffle(nodes, random);

            assertThat(take(ClusterObjects.NONE.withNodes(nodes).withPods(pods), Map.of()))
                    .isEqualTo(expected);
        }
    }

    @Test
    void aPodBeyondTheGangThatRunsLeavesTheGangTogether() {
        Pod surplus = bound(member("g", "g-2", AnnotationKeys.GANG_SIZE, "2"), "n1", -60);

        assertPromisedTogether(
                surplus, new KnownGang(promise("pod-g-2", -60, true, "g-2"), OptionalLong.of(NOW - 60), Set.of()));
    }

    @Test
    void aPodBeyondTheGangThatIsOnItsWayLeavesTheGangTogether() {
        Pod surplus = member("g", "g-2", AnnotationKeys.GANG_SIZE, "2").build();

        assertPromisedTogether(
                surplus, new KnownGang(promise("pod-g-2", 0, true, "g-2"), OptionalLong.empty(), Set.of()));
    }

    private static void assertPromisedTogether(Pod surplus, KnownGang alone) {
        Promise promise = promise("g", 3600, false, "g-0", "g-1");
        Pod first = member("g", "g-0", AnnotationKeys.GANG_SIZE, "2").build();
        Pod second = member("g", "g-1").build();

        IntakeResult result = take(
                objects(List.of(FAST), first, second, surplus),
                Map.of(id("g"), new KnownGang(promise, OptionalLong.empty(), Set.of()), id("pod-g-2"), alone));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests())
                .filteredOn(request -> !request.gang().id().equals(id("pod-g-2")))
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.gang().id()).isEqualTo(id("g"));
                    assertThat(request.promise()).isEqualTo(promise);
                });
        assertThat(result.members()).containsKey(id("pod-g-2"));
    }

    private record End(long fromNow, boolean overrun) {}

    private static End endOfPodThatShouldHaveEnded(long secondsAgo) {
        Pod pod = bound(pod("p").editSpec().withActiveDeadlineSeconds(100L).endSpec(), "n1", -100 - secondsAgo);
        Occupation occupation = occupations(take(pod)).getFirst();
        return new End(occupation.interval().end() - NOW, occupation.overrun());
    }

    private static Map<GangId, KnownGang> known(Promise promise) {
        return Map.of(promise.window().gang(), new KnownGang(promise, OptionalLong.empty(), Set.of()));
    }

    private static Occupation occupation(String holder, long start, long end) {
        return new Occupation(holder, "n1", ONE_CORE, new Interval(NOW + start, NOW + end));
    }

    private static Occupation late(String holder, long start, long end, long late) {
        return new Occupation(holder, "n1", ONE_CORE, new Interval(NOW + start, NOW + end), false, late);
    }

    private static List<Occupation> occupations(IntakeResult result) {
        return result.snapshot().cluster().occupations();
    }
}
