package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionPoliciesTest {
    private static final Set<String> ACCOUNTS = Set.of(
            "slotwise-epoch",
            "slotwise-account",
            "slotwise-account-bindings",
            "slotwise-starts",
            "slotwise-records",
            "slotwise-queues",
            "slotwise-node-owners",
            "slotwise-kubelets");

    @Test
    void everySlotwiseKeyHasARule() {
        JsonNode rules = Chart.yaml(Chart.read(Chart.FOLDER.resolve("files/admission/rules.yaml")));

        assertThat(keys(rules, "/pods/labels")).isEqualTo(AnnotationKeys.POD_LABELS);
        assertThat(keys(rules, "/pods/annotations"))
                .isEqualTo(Stream.of(AnnotationKeys.POD_ANNOTATIONS, AnnotationKeys.WRITTEN_ON_PODS)
                        .flatMap(Set::stream)
                        .collect(Collectors.toSet()));
        assertThat(keys(rules, "/nodes/labels"))
                .isEqualTo(with(AnnotationKeys.NODE_LABELS, AnnotationKeys.BOUGHT, AnnotationKeys.PURCHASE));
        assertThat(keys(rules, "/nodes/annotations"))
                .isEqualTo(with(AnnotationKeys.NODE_ANNOTATIONS, AnnotationKeys.BOUGHT_FOR, AnnotationKeys.NODE_GROUP));
        assertThat(keys(rules, "/namespaces/annotations")).isEqualTo(AnnotationKeys.NAMESPACE_ANNOTATIONS);
    }

    private static Set<String> with(Set<String> keys, String... written) {
        return Stream.concat(keys.stream(), Stream.of(written)).collect(Collectors.toSet());
    }

    @Test
    void everyRuleBecomesAValidationWithAReasonAndAMessage() {
        for (JsonNode policy : Chart.rendered().all("ValidatingAdmissionPolicy")) {
            if (ACCOUNTS.contains(policy.at("/metadata/name").asText())) {
                // These policies judge the user, not the object.
                continue;
            }
            for (JsonNode validation : policy.at("/spec/validations")) {
                assertThat(validation.path("reason").asText()).isEqualTo("Invalid");
                assertThat(validation.path("message").asText()
                                + validation.path("messageExpression").asText())
                        .contains("slotwise.io/");
                assertThat(validation.toString()).doesNotContainPattern("<[a-z-]+>");
            }
        }
    }

    @Test
    void podsAndJobsOfOtherSchedulersAreLeftAlone() {
        Chart.Rendered chart = Chart.rendered("schedulerName: planner");

        assertThat(chart.one("MutatingAdmissionPolicy", "slotwise-gate")
                        .at("/spec/matchConditions/0/expression")
                        .asText())
                .endsWith("object.spec.schedulerName in ['planner', 'slotwise-extender']");
        assertThat(chart.one("ValidatingAdmissionPolicy", "slotwise-pods")
                        .at("/spec/matchConditions/0/expression")
                        .asText())
                .endsWith("object.spec.schedulerName in ['planner', 'slotwise-extender']");
        assertThat(chart.one("ValidatingAdmissionPolicy", "slotwise-jobs")
                        .at("/spec/matchConditions/0/expression")
                        .asText())
                .endsWith("object.spec.template.spec.schedulerName in ['planner', 'slotwise-extender']");
    }

    @Test
    void onlyADirectStartDependsOnThePodsNeeds() {
        assertThat(conditions("start: direct"))
                .containsExactly("ours", "not-placed-yet", "not-done-yet", "through-kube-scheduler");
        assertThat(conditions("start: extender")).containsExactly("ours", "not-placed-yet", "not-done-yet");
    }

    private static List<String> conditions(String values) {
        return Chart.rendered(values)
                .one("MutatingAdmissionPolicy", "slotwise-gate")
                .at("/spec/matchConditions")
                .findValuesAsText("name");
    }

    @Test
    void everyPolicyHasABindingThatNamesIt() {
        Chart.Rendered chart = Chart.rendered();
        List<String> policies = Stream.of("ValidatingAdmissionPolicy", "MutatingAdmissionPolicy")
                .flatMap(kind -> chart.all(kind).stream())
                .map(policy -> policy.at("/metadata/name").asText())
                .toList();
        List<String> bound = Stream.of("ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicyBinding")
                .flatMap(kind -> chart.all(kind).stream())
                .map(binding -> binding.at("/spec/policyName").asText())
                .toList();

        assertThat(policies)
                .containsExactlyInAnyOrder(
                        "slotwise-gate",
                        "slotwise-epoch",
                        "slotwise-account",
                        "slotwise-account-bindings",
                        "slotwise-starts",
                        "slotwise-records",
                        "slotwise-queues",
                        "slotwise-node-owners",
                        "slotwise-kubelets",
                        "slotwise-pods",
                        "slotwise-jobs",
                        "slotwise-nodes",
                        "slotwise-namespaces");
        assertThat(bound).containsExactlyInAnyOrderElementsOf(policies);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{validation: {enabled: false}}", "{validation: {actions: [Warn]}}"})
    void recordsAreGuardedWhateverBecomesOfMalformedRequests(String admission) {
        Chart.Rendered chart = Chart.rendered("admission: " + admission);

        assertThat(chart.one("ValidatingAdmissionPolicy", "slotwise-records")
                        .at("/spec/matchConstraints/resourceRules/0/operations")
                        .valueStream()
                        .map(JsonNode::asText))
                .containsExactly("CREATE", "UPDATE", "DELETE");
        assertThat(chart.one("ValidatingAdmissionPolicyBinding", "slotwise-records")
                        .at("/spec/validationActions")
                        .toString())
                .isEqualTo("[\"Deny\"]");
    }

    /** A pod of another scheduler could tell of a start, too. The status of a pod is written with its annotations. */
    @ParameterizedTest
    @ValueSource(strings = {"{}", "{validation: {enabled: false}}", "{validation: {actions: [Warn]}}"})
    void whatAPodTellsOfAStartIsGuardedOnEveryPod(String admission) {
        Chart.Rendered chart = Chart.rendered("admission: " + admission);
        JsonNode policy = chart.one("ValidatingAdmissionPolicy", "slotwise-starts");

        assertThat(policy.at("/spec/matchConditions").isMissingNode()).isTrue();
        assertThat(policy.at("/spec/matchConstraints/resourceRules/0/resources").toString())
                .isEqualTo("[\"pods\",\"pods/status\"]");
        assertThat(policy.at("/spec/validations/0/expression").asText())
                .contains(AnnotationKeys.RUN, AnnotationKeys.RECORD);
        assertThat(chart.one("ValidatingAdmissionPolicyBinding", "slotwise-starts")
                        .at("/spec/validationActions")
                        .toString())
                .isEqualTo("[\"Deny\"]");
    }

    @Test
    void aPodNamesAQueueThatItsCreatorOrItsAccountMayUse() {
        JsonNode policy = Chart.rendered().one("ValidatingAdmissionPolicy", "slotwise-queues");

        assertThat(policy.at("/spec/validations/0/expression").asText())
                .contains(
                        "authorizer.group('slotwise.io').resource('queues')",
                        "authorizer.serviceAccount(request.namespace, variables.account)")
                .contains(".check('use').allowed()");
        assertThat(Chart.rendered("admission: {queues: {enabled: false}}").all("ValidatingAdmissionPolicy"))
                .noneMatch(other -> other.at("/metadata/name").asText().equals("slotwise-queues"));
    }

    /** Tenants may write a field of the record that is missing in the policy. */
    @Test
    void everyFieldOfARecordButTheHoldAndItsNameIsSlotwisesAlone() {
        String rule = Chart.rendered()
                .one("ValidatingAdmissionPolicy", "slotwise-records")
                .at("/spec/validations/0/expression")
                .asText();
        List<String> fields = Chart.rendered().all("CustomResourceDefinition").stream()
                .filter(definition -> definition.at("/metadata/name").asText().equals("reservations.slotwise.io"))
                .flatMap(definition -> definition
                        .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties")
                        .propertyStream())
                .map(Map.Entry::getKey)
                .filter(field -> !Set.of("hold", "gang").contains(field))
                .toList();

        assertThat(fields)
                .contains("window", "promisedBy")
                .allSatisfy(field -> assertThat(rule).contains("has(object.spec." + field + ")"));
    }

    @Test
    void onlyTheChartsGroupsMayAnnotateNodes() {
        Chart.Rendered chart = Chart.rendered("admission: {nodes: {groups: [owners, admins]}}");

        assertThat(chart.one("ClusterRoleBinding", "slotwise-node-owners")
                        .at("/subjects")
                        .findValuesAsText("name"))
                .containsExactly("owners", "admins");
        String condition = chart.one("ValidatingAdmissionPolicy", "slotwise-node-owners")
                .at("/spec/matchConditions/0/expression")
                .asText();
        assertThat(Stream.concat(AnnotationKeys.NODE_LABELS.stream(), AnnotationKeys.NODE_ANNOTATIONS.stream()))
                .allSatisfy(key -> assertThat(condition).contains("'" + key + "'"));
    }

    @Test
    void aNodeIsBoughtOnlyIfItWasRegisteredAsBought() {
        JsonNode policy = Chart.rendered("offers: '#'").one("ValidatingAdmissionPolicy", "slotwise-node-owners");

        assertThat(policy.at("/spec/matchConditions/0/expression").asText()).contains("'slotwise.io/purchase'");
        assertThat(policy.at("/spec/validations/0/expression").asText())
                .contains("'slotwise.io/purchase' in (oldObject == null ? object : oldObject).metadata");
    }

    @Test
    void aKubeletMayNotChangeWhatPricesItsNode() {
        String rule = Chart.rendered("admission: {nodes: {labels: [pool, example.com/tier]}}")
                .one("ValidatingAdmissionPolicy", "slotwise-kubelets")
                .at("/spec/validations/0/expression")
                .asText();

        assertThat(Stream.of(
                                Set.of("pool", "example.com/tier"),
                                AnnotationKeys.CAPACITY_TYPES,
                                Set.of(
                                        AnnotationKeys.BOUGHT,
                                        AnnotationKeys.PURCHASE,
                                        AnnotationKeys.BOUGHT_FOR,
                                        AnnotationKeys.NODE_GROUP))
                        .flatMap(Set::stream))
                .allSatisfy(key -> assertThat(rule).contains("'" + key + "'"));
    }

    private static Set<String> keys(JsonNode rules, String place) {
        return rules.at(place)
                .propertyStream()
                .map(rule -> AnnotationKeys.PREFIX + rule.getKey())
                .collect(Collectors.toSet());
    }
}
