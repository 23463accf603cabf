package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.live.record.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the chart's CRD with the Java types, field by field. */
class ReservationSchemaTest {
    private static final Path CRD = Path.of("helm/slotwise/files/crds/reservations.slotwise.io.yaml");

    private JsonNode crd = new YAMLMapper().createObjectNode();

    @BeforeEach
    void readCrd() throws IOException {
        crd = new YAMLMapper(new YAMLFactory()).readTree(CRD.toFile());
    }

    @Test
    void theCrdHasTheNamesOfTheJavaType() {
        JsonNode spec = crd.path("spec");

        assertThat(crd.at("/metadata/name").asText()).isEqualTo(new Reservation().getCRDName());
        assertThat(spec.path("group").asText()).isEqualTo(new Reservation().getGroup());
        assertThat(spec.at("/names/kind").asText()).isEqualTo(new Reservation().getKind());
        assertThat(spec.at("/names/plural").asText()).isEqualTo(new Reservation().getPlural());
        assertThat(spec.at("/names/singular").asText()).isEqualTo(new Reservation().getSingular());
        assertThat(spec.path("scope").asText()).isEqualTo("Namespaced");
        assertThat(spec.at("/versions/0/name").asText()).isEqualTo(new Reservation().getVersion());
        assertThat(spec.at("/versions/0/subresources").has("status")).isTrue();
    }

    @Test
    void theSchemaHasEveryFieldOfTheJavaTypesAndNoOther() {
        List<String> differences = new ArrayList<>();

        SchemaComparison.compare("spec", schema("spec"), ReservationSpec.class, differences);
        SchemaComparison.compare("status", schema("status"), ReservationStatus.class, differences);

        assertThat(differences).isEmpty();
    }

    @Test
    void theSchemaAllowsExactlyTheValuesThatAreWritten() {
        assertThat(values(schema("spec").at("/properties/criterion")))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Criterion.values()).map(Criterion::key).toList());
        assertThat(values(schema("spec").at("/properties/via")))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(WindowOrigin.values())
                        .map(WindowOrigin::key)
                        .toList());
        assertThat(values(schema("status").at("/properties/phase")))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Phase.values()).map(Phase::key).toList());
    }

    @Test
    void theColumnsShowTheQueue() {
        List<String> names = new ArrayList<>();
        crd.at("/spec/versions/0/additionalPrinterColumns")
                .forEach(column -> names.add(column.path("name").asText()));

        assertThat(names)
                .containsExactly(
                        "Gang", "Phase", "Start", "Promised By", "End", "Cost", "Budget", "Criterion", "Reason", "Age");
    }

    private JsonNode schema(String part) {
        return crd.at("/spec/versions/0/schema/openAPIV3Schema/properties/" + part);
    }

    private static List<String> values(JsonNode schema) {
        List<String> values = new ArrayList<>();
        schema.path("enum").forEach(value -> values.add(value.asText()));
        return values;
    }
}
