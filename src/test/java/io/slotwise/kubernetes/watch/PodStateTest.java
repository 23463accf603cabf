package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.live.record.Member;
import org.junit.jupiter.api.Test;

class PodStateTest {
    @Test
    void messagesOfOtherPluginsAreRefusals() {
        String message = "0/4 nodes are available: 1 Insufficient cpu, 3 promised on node n1 from "
                + "2030-01-01T00:00:00Z [slotwise.io/promised].";

        assertThat(PodState.refusal(pod("Unschedulable", message))).isEqualTo(message);
    }

    @Test
    void aKubeletsRejectionIsARefusal() {
        Pod refused = new PodBuilder()
                .withNewSpec()
                .withNodeName("n1")
                .endSpec()
                .withNewStatus()
                .withPhase("Failed")
                .withReason("OutOfcpu")
                .withMessage("Node didn't have enough resource: cpu")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
        Pod ran = new PodBuilder(refused)
                .editStatus()
                .withReason("Evicted")
                .addNewContainerStatus()
                .withNewState()
                .withNewTerminated()
                .withExitCode(137)
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();

        assertThat(PodState.refusal(refused)).isEqualTo("OutOfcpu: Node didn't have enough resource: cpu");
        assertThat(PodState.refusal(ran)).isEmpty();
    }

    @Test
    void messagesOfSlotwisesFilterAreNoRefusals() {
        assertThat(PodState.refusal(pod(
                        "Unschedulable",
                        "0/4 nodes are available: 4 promised on node n1 from 2030-01-01T00:00:00Z "
                                + "[slotwise.io/promised].")))
                .isEmpty();
        assertThat(PodState.refusal(pod(
                        "Unschedulable",
                        "0/4 nodes are available: 4 waits for a plan [slotwise.io/waiting]. preemption: 0/4 "
                                + "nodes are available: 4 Preemption is" + " not helpful for scheduling.")))
                .isEmpty();
    }

    @Test
    void messagesFromBeforeTheReleaseAreNoRefusals() {
        String waits = "in any words [slotwise.io/waiting]";

        assertThat(PodState.refusal(pod("SchedulerError", waits))).isEmpty();
        assertThat(PodState.refusal(
                        pod("Unschedulable", "0/60 nodes are available: 24 Insufficient cpu, 36 " + waits + ".")))
                .isEmpty();
        assertThat(PodState.refusal(pod(
                        "Unschedulable",
                        "0/60 nodes are available: 24 Insufficient cpu, 36 waits for a window: OverBudget "
                                + "[slotwise.io/waiting].")))
                .isEmpty();
        assertThat(PodState.refusal(pod("SchedulerError", "the plugin waits for its window")))
                .isNotEmpty();
    }

    @Test
    void aGateIsNone() {
        assertThat(PodState.refusal(pod("SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates")))
                .isEmpty();
    }

    @Test
    void anExtenderThatCannotBeReachedIsARefusal() {
        assertThat(PodState.refusal(pod("SchedulerError", "failed filter with extender")))
                .isNotEmpty();
    }

    @Test
    void aPodEndsWithItsLastContainerOrItsGrace() {
        Pod done = new PodBuilder(pod("x", ""))
                .editOrNewStatus()
                .withPhase("Succeeded")
                .addNewContainerStatus()
                .withNewState()
                .withNewTerminated()
                .withFinishedAt("2030-01-01T00:00:10Z")
                .endTerminated()
                .endState()
                .endContainerStatus()
                .addNewContainerStatus()
                .withNewState()
                .withNewTerminated()
                .withFinishedAt("2030-01-01T00:00:20Z")
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
        Pod leaving = new PodBuilder(pod("x", ""))
                .editMetadata()
                .withDeletionTimestamp("2030-01-01T00:00:30Z")
                .endMetadata()
                .build();

        assertThat(PodState.member(done).endedAt()).hasValue(1_893_456_020L);
        assertThat(PodState.member(leaving).endedAt()).hasValue(1_893_456_030L);
        assertThat(PodState.member(pod("x", "")).endedAt()).isEmpty();
    }

    @Test
    void aDeletedPodWithANodeRunsUntilItHasEnded() {
        Pod leaving = new PodBuilder(pod("x", ""))
                .editMetadata()
                .withDeletionTimestamp("2030-01-01T00:00:00Z")
                .endMetadata()
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();
        Pod ended = new PodBuilder(leaving)
                .editStatus()
                .withPhase("Failed")
                .endStatus()
                .build();

        assertThat(PodState.member(leaving).state()).isEqualTo(Member.State.TERMINATING);
        assertThat(PodState.member(ended).state()).isEqualTo(Member.State.ENDED);
    }

    @Test
    void aPodIsWaitingBoundOrEnded() {
        assertThat(PodState.member(pod("x", "")).state()).isEqualTo(Member.State.WAITING);
        assertThat(PodState.member(new PodBuilder(pod("x", ""))
                                .editSpec()
                                .withNodeName("n1")
                                .endSpec()
                                .build())
                        .state())
                .isEqualTo(Member.State.BOUND);
        assertThat(PodState.member(new PodBuilder(pod("x", ""))
                                .editStatus()
                                .withPhase("Succeeded")
                                .endStatus()
                                .build())
                        .state())
                .isEqualTo(Member.State.ENDED);
        assertThat(PodState.member(new PodBuilder(pod("x", ""))
                                .editMetadata()
                                .withDeletionTimestamp("2030-01-01T00:00:00Z")
                                .endMetadata()
                                .build())
                        .state())
                .isEqualTo(Member.State.ENDED);
    }

    @Test
    void aConditionBySlotwiseIsNoRefusal() {
        assertThat(PodState.member(pod("NoWindow", "2 nodes are too small")).refusal())
                .isEmpty();
        assertThat(PodState.member(pod("WaitingForWindow", "waits for its window at 2030-01-01T00:00:00Z"))
                        .refusal())
                .isEmpty();
        assertThat(PodState.member(pod("Unschedulable", "0/1 nodes are available: 1 Insufficient cpu."))
                        .refusal())
                .isNotEmpty();
    }

    @Test
    void slotwisesGateIsDistinguishedFromForeignOnes() {
        Pod ours = new PodBuilder(pod("x", ""))
                .editSpec()
                .addNewSchedulingGate("slotwise.io/window")
                .endSpec()
                .build();
        Pod foreign = new PodBuilder(pod("x", ""))
                .editSpec()
                .addNewSchedulingGate("example.com/other")
                .endSpec()
                .build();

        assertThat(PodState.member(ours).gated()).isTrue();
        assertThat(PodState.member(foreign).gated()).isFalse();
    }

    private static Pod pod(String reason, String message) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withUid("u")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason(reason)
                .withMessage(message)
                .endCondition()
                .endStatus()
                .build();
    }
}
