package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AdmissionPoliciesTest {
    private static final Set<String> ACCOUNTS = Set.of("slotwise-epoch", "slotwise-account", "slotwise-records");

    @Test
    void everyKeyOfOursHasARule() {
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
                // They judge who writes, not what.
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
    void onlyADirectStartAsksWhatAPodNeeds() {
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
                        "slotwise-records",
                        "slotwise-pods",
                        "slotwise-jobs",
                        "slotwise-nodes",
                        "slotwise-namespaces",
                        "slotwise-reservations");
        assertThat(bound).containsExactlyInAnyOrderElementsOf(policies);
    }

    private static Set<String> keys(JsonNode rules, String place) {
        return rules.at(place)
                .propertyStream()
                .map(rule -> AnnotationKeys.PREFIX + rule.getKey())
                .collect(Collectors.toSet());
    }
}
