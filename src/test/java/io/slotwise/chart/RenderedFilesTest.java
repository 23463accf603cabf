package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Proves that the files of {@code deploy/render} match the chart. With {@code slotwise.render} the test writes them.
 */
class RenderedFilesTest {
    private static final String POLICY = "\npolicy:\n";
    private static final String README_BEGIN = "## Values\n\n";
    private static final String END = "<!-- end of values -->";

    @Test
    void theKustomizeBaseIsTheChart() throws IOException {
        List<String> documents = Chart.renderedWithoutHooks().documents();

        // Labels and annotations for Helm would be wrong without Helm.
        String base = String.join("---\n", documents)
                .replaceAll("(?m)^ *annotations:\n *helm.sh/resource-policy: keep\n", "")
                .replaceAll("(?m)^ *(helm.sh/chart: |app.kubernetes.io/managed-by: Helm$).*\n", "");
        assertThat(base).doesNotContain("helm.sh/", "managed-by: Helm");
        isCurrent(Path.of("deploy/base/slotwise.yaml"), base);
    }

    @Test
    void theSchedulerConfigurationIsTheCharts() throws IOException {
        isCurrent(
                Path.of("deploy/kube-scheduler.yaml"),
                Chart.rendered().schedulerConfigurationText().strip() + "\n");
    }

    @Test
    void thePolicyOfTheValuesHasEveryKeyOfTheProgramButThoseOfResearchers() throws IOException {
        Path values = Chart.FOLDER.resolve("values.yaml");
        String text = Chart.read(values);
        int begin = text.indexOf(POLICY) + POLICY.length();

        isCurrent(
                values,
                text.substring(0, begin)
                        + ChartPolicy.values()
                        + text.substring(text.indexOf("\n# -- The price catalogue")));
    }

    @Test
    void thePolicysSchemaAcceptsWhatTheProgramAccepts() throws IOException {
        ObjectNode schema = (ObjectNode) Chart.schema();
        ((ObjectNode) schema.path("properties")).set("policy", ChartPolicy.schema());

        isCurrent(Chart.FOLDER.resolve("values.schema.json"), ChartPolicy.text(schema));
    }

    /** The chart's own page has the table of values, in the form of helm-docs. */
    @Test
    void theChartsReadmeHasEveryValue() throws IOException {
        Path page = Chart.FOLDER.resolve("README.md");
        String text = Chart.read(page);
        int begin = text.indexOf(README_BEGIN) + README_BEGIN.length();
        int end = text.indexOf(END);
        String table = ValuesTable.of(Chart.read(Chart.FOLDER.resolve("values.yaml"))).stream()
                .map(ValuesTable.Row::readme)
                .collect(Collectors.joining(
                        "\n", "| Key | Default | Description |\n|-----|---------|-------------|\n", "\n"));

        isCurrent(page, text.substring(0, begin) + table + text.substring(end));
    }

    @Test
    void everyValueIsInTheTable() {
        List<String> names = ValuesTable.of(Chart.read(Chart.FOLDER.resolve("values.yaml"))).stream()
                .map(ValuesTable.Row::name)
                .toList();

        assertThat(names).containsExactlyElementsOf(leaves("", Chart.values(), names));
        assertThat(names).hasSizeGreaterThan(40);
    }

    /** Values without a comment of their own are levels above those with one. */
    private static List<String> leaves(String above, JsonNode values, List<String> described) {
        return values.propertyStream()
                .flatMap(value -> {
                    String name = above + value.getKey();
                    return described.contains(name) || !value.getValue().isObject()
                            ? List.of(name).stream()
                            : leaves(name + ".", value.getValue(), described).stream();
                })
                .toList();
    }

    private static void isCurrent(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("slotwise.render")) {
            Files.writeString(file, expected);
        }
        assertThat(Chart.read(file))
                .as("%s is not what the chart says; maybe run deploy/render".formatted(file))
                .isEqualTo(expected);
    }
}
