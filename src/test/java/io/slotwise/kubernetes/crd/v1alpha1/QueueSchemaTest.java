package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueueSchemaTest {
    private static final Path CRD = Path.of("helm/slotwise/files/crds/queues.slotwise.io.yaml");

    private JsonNode crd = new YAMLMapper().createObjectNode();

    @BeforeEach
    void readCrd() throws IOException {
        crd = new YAMLMapper().readTree(CRD.toFile());
    }

    @Test
    void theCrdHasTheNamesOfTheJavaType() {
        assertThat(crd.at("/metadata/name").asText()).isEqualTo(new QueueObject().getCRDName());
        assertThat(crd.at("/spec/names/kind").asText()).isEqualTo(new QueueObject().getKind());
        assertThat(crd.at("/spec/names/singular").asText()).isEqualTo(new QueueObject().getSingular());
        assertThat(crd.at("/spec/scope").asText()).isEqualTo("Cluster");
        assertThat(crd.at("/spec/versions/0/name").asText()).isEqualTo(new QueueObject().getVersion());
    }

    @Test
    void theSchemaHasEveryFieldOfTheJavaTypeAndNoOther() {
        List<String> differences = new ArrayList<>();

        JsonNode properties = crd.at("/spec/versions/0/schema/openAPIV3Schema/properties");
        SchemaComparison.compare("spec", properties.get("spec"), QueueSpec.class, differences);
        SchemaComparison.compare("status", properties.get("status"), QueueStatus.class, differences);

        assertThat(differences).isEmpty();
    }
}
