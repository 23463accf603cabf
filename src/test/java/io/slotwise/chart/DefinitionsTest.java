package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionsTest {

    @Test
    void withoutDefinitionsNoneIsThere() {
        assertThat(Chart.rendered("crds: {install: false}").all("CustomResourceDefinition"))
                .isEmpty();
    }

    @Test
    void definitionsStayWhenTheChartGoesUnlessToldOtherwise() {
        List<JsonNode> kept = Chart.rendered().all("CustomResourceDefinition");
        List<JsonNode> going = Chart.rendered("crds: {keep: false}").all("CustomResourceDefinition");

        assertThat(kept)
                .isNotEmpty()
                .allSatisfy(definition -> assertThat(definition
                                .path("metadata")
                                .path("annotations")
                                .path("helm.sh/resource-policy")
                                .asText())
                        .isEqualTo("keep"));
        assertThat(going)
                .isNotEmpty()
                .allSatisfy(definition -> assertThat(
                                definition.path("metadata").path("annotations").has("helm.sh/resource-policy"))
                        .isFalse());
    }
}
