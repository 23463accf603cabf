package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.testing.KueueManifest;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * The scenarios of Kueue's documentation: which gangs start at once. Those that Kueue decides in another way are in the
 * table of {@code docs/reference/queues.md}.
 *
 * <p>Source: kueue.sigs.k8s.io, concepts ClusterQueue, Cohort and Preemption; KEP-79 and KEP-1224.
 */
class KueueScenariosTest {
    private static final String CPU = "{name: cpu, nominalQuota: %s}";
    private static final String AB = "cohortName: team-ab, ";
    private static final int SOON = 600;

    private final KueueManifest manifest = new KueueManifest();

    private static String cpu(int quota) {
        return CPU.formatted(quota);
    }

    private static String borrowing(int quota, int limit) {
        return CPU.formatted(quota + ", borrowingLimit: " + limit);
    }

    private static String lending(int quota, int limit) {
        return CPU.formatted(quota + ", lendingLimit: " + limit);
    }

    private JsonNode plan() {
        CommandLineRun run = CommandLineRun.withInput(
                manifest.toString(), "plan", "-f", "-", "--now", KueueManifest.NOW.toString(), "-o", "json");
        try {
            return new ObjectMapper().readTree(run.out());
        } catch (JsonProcessingException e) {
            throw new AssertionError(run.out() + run.err(), e);
        }
    }

    private static List<String> names(JsonNode gangs) {
        return StreamSupport.stream(gangs.spliterator(), false)
                .filter(gang ->
                        Instant.parse(gang.path("start").asText()).isBefore(KueueManifest.NOW.plusSeconds(SOON)))
                .map(gang -> gang.path("gang").asText())
                .sorted()
                .toList();
    }

    private void startAtOnce(String... gangs) {
        assertThat(names(plan().path("windows"))).containsExactly(gangs);
    }

    /** The ClusterQueues of the documentation: nine CPUs of team a, twelve of team b. */
    private KueueManifest teams(String a, String b) {
        return manifest.queue("a", AB, a).queue("b", AB, b);
    }

    @Test
    void aClusterQueueAdmitsUpToItsNominalQuota() {
        manifest.queue("a", "", cpu(9))
                .waiting("a", "x", 5)
                .waiting("a", "y", 4)
                .waiting("a", "z", 1);

        startAtOnce("a/x", "a/y");
    }

    @Test
    void itAdmitsUpToItsNumberOfPods() {
        manifest.queue("a", "", cpu(9), "{name: pods, nominalQuota: 2}");
        manifest.waiting("a", "x", 1).waiting("a", "y", 1).waiting("a", "z", 1);

        startAtOnce("a/x", "a/y");
    }

    @Test
    void aGangThatWaitsDoesNotHoldBackLaterOnes() {
        manifest.queue("a", "", cpu(9))
                .waiting("a", "x", 5)
                .waiting("a", "y", 5)
                .waiting("a", "z", 4);

        startAtOnce("a/x", "a/z");
    }

    @Test
    void withoutACohortNothingIsBorrowed() {
        manifest.queue("a", "", cpu(9)).queue("b", "", cpu(12)).waiting("a", "x", 10);

        startAtOnce();
    }

    @Test
    void itBorrowsAllThatItsCohortDoesNotUse() {
        teams(cpu(9), cpu(12)).waiting("a", "x", 9).waiting("a", "y", 12).waiting("a", "z", 1);

        startAtOnce("a/x", "a/y");
    }

    @Test
    void gangsWithinTheirNominalQuotaComeBeforeBorrowers() {
        teams(cpu(9), cpu(12)).waiting("a", "x", 9).waiting("a", "y", 12).waiting("b", "z", 12);

        startAtOnce("a/x", "b/z");
    }

    @Test
    void aBorrowingLimitBoundsWhatIsBorrowed() {
        teams(borrowing(9, 1), cpu(12))
                .waiting("a", "x", 9)
                .waiting("a", "y", 1)
                .waiting("a", "z", 1);

        startAtOnce("a/x", "a/y");
    }

    @Test
    void aLimitOfOneTeamDoesNotBoundTheOther() {
        teams(borrowing(9, 1), cpu(12)).waiting("b", "x", 21).waiting("b", "y", 1);

        startAtOnce("b/x");
    }

    @Test
    void aLendingLimitBoundsWhatOthersBorrow() {
        teams(cpu(9), lending(12, 1)).waiting("a", "x", 9).waiting("a", "y", 1).waiting("a", "z", 1);

        startAtOnce("a/x", "a/y");
    }

    @Test
    void whatIsNotLentIsThereAtOnceForItsOwner() {
        teams(cpu(9), lending(12, 1)).running("a", "x", 10, false).waiting("b", "y", 11);

        startAtOnce("b/y");
    }

    @Test
    void theLesserOfBothLimitsHolds() {
        teams(borrowing(9, 1), lending(12, 5)).waiting("a", "x", 11).waiting("a", "y", 10);

        startAtOnce("a/y");
    }

    @Test
    void allThatSeveralLendIsBorrowed() {
        teams(cpu(9), lending(12, 2))
                .queue("c", AB, cpu(4))
                .waiting("a", "x", 16)
                .waiting("a", "y", 15);

        startAtOnce("a/y");
    }

    @Test
    void allThatSeveralLendWithinLimitsIsBorrowed() {
        teams(cpu(9), lending(12, 2))
                .queue("c", AB, lending(4, 1))
                .waiting("a", "x", 13)
                .waiting("a", "y", 12);

        startAtOnce("a/y");
    }

    @Test
    void theQuotaOfACohortIsSharedByItsMembers() {
        manifest.cohort("hello", "", cpu(12)).queue("a", "cohortName: hello, ", cpu(0));
        manifest.waiting("a", "x", 13).waiting("a", "y", 12);

        startAtOnce("a/y");
    }

    @Test
    void whatAClusterQueueDoesNotDefineIsNotBorrowed() {
        manifest.cohort("hello", "", cpu(12)).queue("a", "cohortName: hello, ", "{name: memory, nominalQuota: 1Gi}");
        manifest.waiting("a", "x", 1);

        startAtOnce();
    }

    /** Two organizations with a ClusterQueue each below one Cohort. */
    private KueueManifest organizations(String research, String production) {
        manifest.cohort("root", "").cohort("research", "parentName: root, ", research);
        manifest.cohort("production", "parentName: root, ", production);
        return manifest.queue("r", "cohortName: research, ", cpu(4)).queue("p", "cohortName: production, ", cpu(6));
    }

    @Test
    void quotasAreBorrowedThroughAllLevelsOfCohorts() {
        organizations(cpu(0), cpu(0)).waiting("r", "x", 11).waiting("r", "y", 10);

        startAtOnce("r/y");
    }

    @Test
    void aCohortThatMayNotBorrowStillLends() {
        organizations(borrowing(0, 0), cpu(0)).waiting("r", "x", 5).waiting("p", "y", 10);

        startAtOnce("p/y");
    }

    @Test
    void aCohortThatLendsNothingStillBorrows() {
        organizations(cpu(0), lending(0, 0)).waiting("r", "x", 5).waiting("p", "y", 10);

        startAtOnce("p/y");
    }

    @Test
    void aSpecialQueueBorrowsFromOrganizationsThatDoNot() {
        organizations(borrowing(0, 0), borrowing(0, 0)).queue("s", "cohortName: root, ", cpu(0));
        manifest.waiting("r", "x", 5).waiting("p", "y", 7).waiting("s", "z", 10);

        startAtOnce("s/z");
    }

    @Test
    void aCohortLendsUpToItsLendingLimit() {
        organizations(cpu(0), lending(0, 2)).waiting("r", "x", 7).waiting("r", "y", 6);

        startAtOnce("r/y");
    }

    @Test
    void aParentThatDoesNotExistIsACohortWithoutQuota() {
        manifest.cohort("one", "parentName: none, ").cohort("two", "parentName: none, ");
        manifest.queue("a", "cohortName: one, ", cpu(4)).queue("b", "cohortName: two, ", cpu(6));
        manifest.waiting("a", "x", 10);

        startAtOnce("a/x");
    }

    @Test
    void aCircleOfCohortsAdmitsNothing() {
        manifest.cohort("one", "parentName: two, ").cohort("two", "parentName: one, ");
        manifest.queue("a", "cohortName: one, ", cpu(4)).waiting("a", "x", 1);

        startAtOnce();
    }

    @Test
    void aStoppedClusterQueueAdmitsNothing() {
        manifest.queue("a", "stopPolicy: Hold, ", cpu(9))
                .running("a", "x", 4, false)
                .waiting("a", "y", 1);

        startAtOnce();
    }

    @Test
    void withReclaimingNominalQuotaIsTakenBack() {
        teams(cpu(9), cpu(12))
                .running("a", "x", 9, true)
                .running("a", "y", 12, true)
                .waiting("b", "z", 12);

        assertThat(names(plan().path("windows"))).contains("b/z");
    }

    @Test
    void withoutReclaimingBorrowersRunToTheirEnd() {
        teams(cpu(9), cpu(12))
                .running("a", "x", 9, false)
                .running("a", "y", 12, false)
                .waiting("b", "z", 12);

        startAtOnce();
    }

    @Test
    void aGangThatWouldBorrowReclaimsNothing() {
        teams(cpu(9), cpu(12))
                .running("a", "x", 9, true)
                .running("a", "y", 12, true)
                .waiting("b", "z", 13);

        startAtOnce();
    }

    @Test
    void withinAClusterQueueAHigherPriorityDisplaces() {
        manifest.queue("a", "", cpu(9)).running("a", "x", 9, false).waiting("a", "y", 9, 100);

        assertThat(names(plan().path("windows"))).contains("a/y");
    }

    @Test
    void differsInAGangLargerThanAnyFlavor() {
        manifest.document("""
                {apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: a},
                 spec: {namespaceSelector: {}, resourceGroups: [{flavors: [
                   {name: spot, resources: [{name: cpu, nominalQuota: 9}]},
                   {name: on-demand, resources: [{name: cpu, nominalQuota: 18}]}]}]}}
                ---
                {apiVersion: kueue.x-k8s.io/v1beta1, kind: LocalQueue, metadata: {name: lq, namespace: a},
                 spec: {clusterQueue: a}}""").waiting("a", "x", 27).waiting("a", "y", 1);

        startAtOnce("a/x");
    }

    @Test
    void differsInALimitOfACohortWhoseMembersKeepQuota() {
        manifest.cohort("org", "parentName: top, ", borrowing(0, 1)).queue("c", "cohortName: top, ", cpu(10));
        manifest.queue("a", "cohortName: org, ", lending(4, 0)).queue("b", "cohortName: org, ", cpu(0));
        manifest.waiting("b", "x", 6).waiting("b", "y", 5);

        startAtOnce("b/y");
    }

    @Test
    void differsInAStrictOrder() {
        manifest.queue("a", "queueingStrategy: StrictFIFO, ", cpu(9))
                .waiting("a", "x", 10)
                .waiting("a", "y", 4);

        startAtOnce("a/y");
    }

    @Test
    void differsInReclaimingFromGangsThatDoNotSayThatTheyMayBeStopped() {
        manifest.queue("a", AB, cpu(9)).queue("b", AB + "preemption: {reclaimWithinCohort: Any}, ", cpu(12));
        manifest.running("a", "x", 9, false).running("a", "y", 12, false).waiting("b", "z", 12);

        startAtOnce();
    }

    private String reason() {
        return plan().path("pending")
                .path(0)
                .path("reason")
                .path("message")
                .asText(plan().path("pending").toString());
    }

    @Test
    void aGangOfALocalQueueThatDoesNotExistWaits() {
        manifest.queue("a", "", cpu(9)).waiting("b", "x", 1);

        assertThat(reason()).contains("LocalQueue b/lq does not exist");
    }

    @Test
    void aGangWhosePodsNameDifferentLocalQueuesWaits() {
        manifest.queue("a", "", cpu(9)).document("""
                apiVersion: v1
                kind: Pod
                metadata:
                  {namespace: a, name: x-0, labels: {slotwise.io/gang: x, kueue.x-k8s.io/queue-name: lq},
                   annotations: {slotwise.io/gang-size: "2", slotwise.io/runtime: 1h}}
                spec: {schedulerName: slotwise, containers: [{name: main, image: registry.example/main}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: a, name: x-1, labels: {slotwise.io/gang: x, kueue.x-k8s.io/queue-name: other}}
                spec: {schedulerName: slotwise, containers: [{name: main, image: registry.example/main}]}""");

        assertThat(reason())
                .contains("`kueue.x-k8s.io/queue-name` (lq, other) differs: expected one value for the gang");
    }

    @Test
    void aGangOfAStoppedLocalQueueWaits() {
        manifest.queue("a", "", cpu(9)).document("""
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: b},
                 spec: {clusterQueue: a, stopPolicy: Hold}}""").waiting("b", "x", 1);

        assertThat(reason()).contains("LocalQueue b/lq is stopped by its `spec.stopPolicy`");
    }

    private void addJob(String labels) {
        manifest.document("""
                apiVersion: batch/v1
                kind: Job
                metadata: {namespace: other, name: j, labels: {%s}}
                spec:
                  template:
                    metadata: {annotations: {slotwise.io/runtime: 1h, slotwise.io/criterion: start}}
                    spec:
                      schedulerName: slotwise
                      restartPolicy: Never
                      containers: [{name: main, image: registry.example/main, resources: {requests: {cpu: "10"}}}]
                """.formatted(labels));
        manifest.queue("a", "", cpu(9)).queue("b", "", cpu(12)).document("""
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: small, namespace: other},
                 spec: {clusterQueue: a}}
                ---
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: large, namespace: other},
                 spec: {clusterQueue: b}}""");
    }

    @Test
    void theLabelOfAJobNamesTheQueueOfItsPods() {
        addJob("kueue.x-k8s.io/queue-name: large");

        assertThat(names(plan().path("windows"))).hasSize(1);
    }

    @Test
    void theQueueOfAJobBoundsItsPods() {
        addJob("kueue.x-k8s.io/queue-name: small");

        startAtOnce();
    }

    @Test
    void aJobWithoutALabelIsBoundByNoQueueOfSeveral() {
        addJob("");

        assertThat(names(plan().path("windows"))).hasSize(1);
    }

    @Test
    void queueObjectsComeBeforeThoseOfKueue() {
        manifest.queue("a", "", cpu(9)).document("""
                {apiVersion: slotwise.io/v1alpha1, kind: Queue, metadata: {name: own}, spec: {namespaces: [a]}}
                """).waiting("a", "x", 10);

        startAtOnce("a/x");
        assertThat(plan().path("inputNotes").toString())
                .contains("Kueue's queues are not read, since there are Queue objects: expected one of them");
    }
}
