package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.at;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The queue of each gang, and what gangs that run use of it. */
class QueueIntakeTest {
    private static final Namespace USER = new NamespaceBuilder()
            .withNewMetadata()
            .withName("user")
            .addToLabels("team", "physics")
            .endMetadata()
            .build();

    private static final QueueSpec PLAIN =
            new QueueSpec(null, null, Map.of(), Map.of(), null, null, List.of(), List.of(), null, null);

    private static QueueObject queue(String name, long created, QueueSpec spec) {
        QueueObject object = new QueueObject();
        object.getMetadata().setName(name);
        object.getMetadata().setCreationTimestamp(at(created));
        object.setSpec(spec);
        return object;
    }

    private static QueueSpec ofNamespaces(String... namespaces) {
        return new QueueSpec(null, null, Map.of(), Map.of(), null, null, List.of(), List.of(namespaces), null, null);
    }

    private static QueueSpec ofTeam(String team) {
        return new QueueSpec(
                null,
                null,
                Map.of(),
                Map.of(),
                null,
                null,
                List.of(),
                List.of(),
                new LabelSelectorBuilder().addToMatchLabels("team", team).build(),
                null);
    }

    private static ClusterObjects in(List<QueueObject> queues, Pod... pods) {
        ClusterObjects objects =
                objects(List.of(node("n1").build(), node("n2").build()), pods).withNamespaces(List.of(USER));
        return objects.withOptional(objects.optional().with(QueueObject.class, queues));
    }

    private static IntakeResult intake(List<QueueObject> queues, Pod... pods) {
        return take(in(queues, pods), Map.of());
    }

    private static @Nullable String queueOf(IntakeResult result) {
        return result.snapshot().requests().getFirst().gang().queue();
    }

    private static Pod waiting(String... annotations) {
        return member("g", "g-0", annotations).build();
    }

    private static List<String> warnings(IntakeResult result) {
        return result.warnings().stream()
                .filter(warning -> warning.kind().equals("Queue"))
                .map(IntakeWarning::message)
                .toList();
    }

    @Test
    void withoutQueuesNoQueueBindsAGang() {
        IntakeResult result = intake(List.of(), waiting(AnnotationKeys.GANG_SIZE, "1"));

        assertThat(queueOf(result)).isNull();
        assertThat(result.snapshot().queues()).isNull();
    }

    @Test
    void withoutKueuesObjectsItsLabelMayDifferBetweenPods() {
        Pod first = member("g", "g-0", AnnotationKeys.GANG_SIZE, "2").build();
        Pod second = member("g", "g-1").build();
        first.getMetadata().getLabels().put("kueue.x-k8s.io/queue-name", "a");
        second.getMetadata().getLabels().put("kueue.x-k8s.io/queue-name", "b");

        assertThat(queueOf(intake(List.of(), first, second))).isNull();
        assertThat(queueOf(intake(List.of(queue("c", 0, ofNamespaces("user"))), first, second)))
                .isEqualTo("c");
    }

    @Test
    void aGangIsInTheQueueThatItNames() {
        List<QueueObject> queues = List.of(queue("a", 0, PLAIN), queue("b", 0, ofNamespaces("user")));

        assertThat(queueOf(intake(queues, waiting(AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.QUEUE, "a"))))
                .isEqualTo("a");
    }

    @Test
    void otherwiseItIsInTheQueueOfItsNamespace() {
        Pod pod = waiting(AnnotationKeys.GANG_SIZE, "1");

        assertThat(queueOf(intake(List.of(queue("a", 0, PLAIN), queue("b", 0, ofNamespaces("user"))), pod)))
                .isEqualTo("b");
        assertThat(queueOf(intake(List.of(queue("a", 0, ofTeam("maths")), queue("b", 0, ofTeam("physics"))), pod)))
                .isEqualTo("b");
    }

    @Test
    void otherwiseItIsInTheQueueDefault() {
        assertThat(queueOf(intake(List.of(queue("a", 0, PLAIN)), waiting(AnnotationKeys.GANG_SIZE, "1"))))
                .isEqualTo("default");
    }

    @Test
    void aGangThatNamesAQueueIsBoundByItWithoutAnyQueue() {
        IntakeResult result = intake(List.of(), waiting(AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.QUEUE, "a"));

        QueueState queues = Objects.requireNonNull(result.snapshot().queues());
        assertThat(queues.tree().isOpen("a")).isFalse();
    }

    @Test
    void ofTwoQueuesOfANamespaceTheEarliestKeepsIt() {
        IntakeResult result = intake(
                List.of(queue("a", 10, ofNamespaces("user")), queue("b", 5, ofTeam("physics"))),
                waiting(AnnotationKeys.GANG_SIZE, "1"));

        assertThat(queueOf(result)).isEqualTo("b");
        assertThat(warnings(result))
                .containsExactly("queue a: namespace user is already in queue b: expected each namespace in one queue");
    }

    @Test
    void aQueueThatCannotBeReadIsLeftOutAndItsGangsStayInIt() {
        QueueSpec wrong =
                new QueueSpec(null, -1, Map.of(), Map.of(), null, null, List.of(), List.of("user"), null, null);

        IntakeResult result =
                intake(List.of(queue("a", 0, wrong), queue("b", 0, PLAIN)), waiting(AnnotationKeys.GANG_SIZE, "1"));

        assertThat(queueOf(result)).isEqualTo("a");
        QueueState queues = Objects.requireNonNull(result.snapshot().queues());
        assertThat(queues.tree().names()).containsExactly("b", "default", "root");
        assertThat(warnings(result))
                .containsExactly("queue a: `spec.weight` (-1) is not valid: expected a whole number between 0 and "
                        + "1000000; it is left out, and its gangs wait");
    }

    @Test
    void aFaultOfTheTreeIsToldByName() {
        IntakeResult result = intake(
                List.of(queue(
                        "a",
                        0,
                        new QueueSpec("b", null, Map.of(), Map.of(), null, null, List.of(), List.of(), null, null))),
                waiting(AnnotationKeys.GANG_SIZE, "1"));

        assertThat(warnings(result))
                .containsExactly("queue a: its parent b does not exist; it is left out, and its gangs wait");
    }

    private static QueueSpec budgeted(@Nullable String parent, String budget) {
        return new QueueSpec(parent, null, Map.of(), Map.of(), null, budget, List.of(), List.of(), null, null);
    }

    @Test
    void aBudgetOfAQueueIsLeftWithoutWhatAllLedgersChargedBelowIt() {
        LedgerEntry ended = new LedgerEntry(
                        new LedgerEntry.Key("u", NOW),
                        "g",
                        NOW + 60,
                        new Cost(9),
                        new LedgerEntry.Settled(new Charge(new Cost(7), Cost.ZERO), NOW + 60))
                .withQueue("b");
        Ledger ledger = Ledger.empty("other").charging(ended);
        ClusterObjects objects = in(
                        List.of(queue("a", 0, budgeted(null, "0.001/day")), queue("b", 0, budgeted("a", "1/month"))),
                        waiting(AnnotationKeys.GANG_SIZE, "1"))
                .withLedgers(List.of(ledger));

        IntakeResult result = take(objects, Map.of());

        assertThat(result.snapshot().queueBudgets())
                .isEqualTo(Map.of("a", Allotment.parse("0.001/day"), "b", Allotment.parse("1/month")));
        assertThat(result.snapshot().accounts())
                .filteredOn(account -> account.covers(NOW))
                .extracting(Account::holder, Account::left)
                .containsExactly(
                        tuple(Account.ofQueue("a"), new Cost(3_600_000 - 7)),
                        tuple(Account.ofQueue("b"), new Cost(3_600_000_000L - 7)));
    }

    @Test
    void aQueueWithABudgetThatCannotBeReadIsLeftOut() {
        IntakeResult result =
                intake(List.of(queue("a", 0, budgeted(null, "5/year"))), waiting(AnnotationKeys.GANG_SIZE, "1"));

        assertThat(warnings(result))
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .startsWith("queue a: `spec.budget` (5/year) is not valid: expected AMOUNT/PERIOD such as 500/month")
                .endsWith("; it is left out, and its gangs wait");
        assertThat(result.snapshot().queueBudgets()).isEmpty();
    }

    @Test
    void aPriorityClassThatTheQueueDoesNotAllowIsRefused() {
        QueueSpec classes = new QueueSpec(
                null, null, Map.of(), Map.of(), null, null, List.of("low", "mid"), List.of("user"), null, null);
        Pod pod = member("g", "g-0", AnnotationKeys.GANG_SIZE, "1")
                .editSpec()
                .withPriorityClassName("high")
                .endSpec()
                .build();

        IntakeResult result = intake(List.of(queue("a", 0, classes)), pod);

        assertThat(result.snapshot().held()).hasSize(1);
        assertThat(result.snapshot().held().getFirst().refusal())
                .isEqualTo(new Refusal.InvalidRequest(
                        "`priorityClassName` (high) is not allowed in queue a: expected low or mid"));
    }

    @Test
    void aGangThatRunsUsesItsQueueWithTheSumOfItsPods() {
        Pod[] pods = Arrays.stream(new String[] {"g-0", "g-1"})
                .map(name -> bound(
                        member("g", name, AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "10m"), "n1", -100))
                .toArray(Pod[]::new);
        Map<GangId, KnownGang> known = Map.of(
                id("g"), new KnownGang(promise("g", -102, true, "g-0", "g-1"), OptionalLong.of(NOW - 100), Set.of()));

        IntakeResult result = take(in(List.of(queue("a", 0, ofNamespaces("user"))), pods), known);

        QueueState queues = Objects.requireNonNull(result.snapshot().queues());
        assertThat(queues.running()).hasSize(1);
        QueueUse use = queues.running().getFirst();
        assertThat(use.holder()).isEqualTo("user/g");
        assertThat(use.queue()).isEqualTo("a");
        assertThat(use.total().get("cpu")).isEqualTo(2000);
        assertThat(use.interval()).isEqualTo(new Interval(NOW - 100, NOW + 500));
    }

    private static IntakeResult running(List<QueueObject> queues, String... annotations) {
        Pod pod = bound(
                member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "10m")
                        .editMetadata()
                        .addToAnnotations(annotations.length == 0 ? Map.of() : Map.of(annotations[0], annotations[1]))
                        .addNewOwnerReference()
                        .withController(true)
                        .endOwnerReference()
                        .endMetadata(),
                "n1",
                -100);
        return take(
                in(queues, pod),
                Map.of(id("g"), new KnownGang(promise("g", -102, true, "g-0"), OptionalLong.of(NOW - 100), Set.of())));
    }

    @Test
    void aGangThatSaysSoMayBeStoppedForAnotherQueue() {
        List<QueueObject> queues = List.of(queue("a", 0, ofNamespaces("user")));

        assertThat(running(queues, AnnotationKeys.PREEMPTIBLE, "true")
                        .snapshot()
                        .running())
                .singleElement()
                .satisfies(running -> {
                    assertThat(running.gang().preemptible()).isTrue();
                    assertThat(running.gang().queue()).isEqualTo("a");
                    assertThat(running.keepsWork()).isFalse();
                });
        assertThat(running(queues).snapshot().running()).isEmpty();
        assertThat(running(List.of(), AnnotationKeys.PREEMPTIBLE, "true")
                        .snapshot()
                        .running())
                .isEmpty();
    }
}
