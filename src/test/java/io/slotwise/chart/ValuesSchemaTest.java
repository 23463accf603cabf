package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.config.PolicyFile;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ValuesSchemaTest {

    @ParameterizedTest
    @MethodSource("levels")
    void anUnknownValueIsRefusedAtEveryLevel(List<String> level) {
        StringBuilder values = new StringBuilder();
        for (int depth = 0; depth < level.size(); depth++) {
            values.append("  ".repeat(depth)).append(level.get(depth)).append(":\n");
        }
        values.append("  ".repeat(level.size())).append("surprise: 1\n");

        assertThatThrownBy(() -> Chart.rendered(values.toString()))
                .hasMessageContaining("surprise")
                .hasMessageContaining("not allowed");
    }

    @Test
    void everyObjectOfTheSchemaIsClosed() {
        List<String> open = new ArrayList<>();

        findOpen("", Chart.schema(), open);

        assertThat(open).isEmpty();
    }

    @Test
    void everyValueIsDescribedAsInTheTable() {
        for (ValuesTable.Row row : ValuesTable.of(Chart.read(Chart.FOLDER.resolve("values.yaml")))) {
            JsonNode schema = Chart.schema();
            for (String key : row.name().split("\\.", -1)) {
                schema = schema.path("properties").path(key);
            }
            assertThat(schema.path("description").asText()).as(row.name()).isEqualTo(row.meaning());
        }
    }

    @Test
    void theSchemaHasExactlyTheValues() {
        List<String> inValues = new ArrayList<>();
        List<String> inSchema = new ArrayList<>();

        namesOfValues("", Chart.values(), Chart.schema(), inValues);
        namesOfSchema("", Chart.schema(), inSchema);

        assertThat(inSchema).containsExactlyInAnyOrderElementsOf(inValues);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            replicas: many                          | /replicas
            replicas: -1                            | /replicas
            release: push                           | /release
            schedulerName: default-scheduler        | /schedulerName
            extenderSchedulerName: default-scheduler | /extenderSchedulerName
            start: gated                            | /start
            kubeScheduler: {enabled: maybe}         | /kubeScheduler/enabled
            slotwise: {port: 70000}                 | /slotwise/port
            image: {digest: latest}                 | /image/digest
            kubeScheduler: {verbosity: 11}          | /kubeScheduler/verbosity
            policy: {planner: {horizon: long}}      | /policy/planner/horizon
            policy: {running: {turnover: 5}}        | /policy/running/turnover
            policy: {running: {start-timeout: 40s}} | /policy/running/start-timeout
            policy: {study: {mode: online}}         | /policy/study/mode
            policy: {study: {sub-batches: 0}}       | /policy/study/sub-batches
            policy: {preset: greedy}                | /policy/preset
            policy: {batch: {limit: {cost: 1, processor-time: 2}}} | /policy/batch/limit
            prices: 'type,price'                    | /prices
            admission: {gate: {failurePolicy: Open}} | /admission/gate/failurePolicy
            admission: {validation: {actions: []}}  | /admission/validation/actions
            admission: {nodes: {groups: ['system:nodes']}} | /admission/nodes/groups/0
            admission: {nodes: {labels: ["a'b"]}}   | /admission/nodes/labels/0
            uninstall: {gates: forget}              | /uninstall/gates
            tolerations: [{kee: x}]                 | /tolerations/0
            slotwise: {extender: {podPort: 0}}      | /slotwise/extender/podPort
            auth: {audiences: ['a,b']}              | /auth/audiences/0
            auth: {oidc: {issuer: 'http://a', audiences: [b]}} | /auth/oidc/issuer
            tls: {certificate: {issuer: {kind: Vault}}} | /tls/certificate/issuer/kind
            httpRoute: {parentRefs: [{kind: Gateway}]} | /httpRoute/parentRefs/0
            """)
    void aValueOutOfItsRangeIsRefusedByName(String values, String place) {
        assertThatThrownBy(() -> Chart.rendered(values)).hasMessageContaining("'" + place + "'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            promises: {slack: {wait: %s}}      | 0.25 | 10.5 | /policy/promises/slack/wait
            promises: {slack: {cost: %s}}      | 0.25 | 10.5 | /policy/promises/slack/cost
            promises: {slack: {dearer: %s}}    | 0.25 | 10.5 | /policy/promises/slack/dearer
            batch: {objective: max-value, max-value: {least-saving: %s}} | 8.0  | 1001 | /policy/batch/max-value/least-saving
            batch: {objective: max-value, max-value: {expected-use: %s}} | 0.35 | 0.0  | /policy/batch/max-value/expected-use
            promises: {improve: {gain: %s}}    | 0.25 | 1.5  | /policy/promises/improve/gain
            study: {cyclic-fraction: %s}       | 0.25 | -1   | /policy/study/cyclic-fraction
            planner: {search-time: %s}         | 1.0  | 2    | /policy/planner/search-time
            gangs: {runtime: {quantile: %s}}   | 0.25 | 0.0  | /policy/gangs/runtime/quantile
            gangs: {value-of-time: {default: %s}} | 2.50 | 1e9  | /policy/gangs/value-of-time/default
            """)
    void aFractionMayBeTheStringThatHelmMakesOfIt(String values, String right, String wrong, String place) {
        for (String quote : List.of("", "'")) {
            String policy = "policy: {" + values.formatted(quote + right + quote) + "}";
            String read = Chart.rendered(policy)
                    .one("ConfigMap", "slotwise")
                    .at("/data/policy.yaml")
                    .asText();

            assertThat(PolicyFile.read(new StringReader(read), "policy.yaml")).isNotNull();
            assertThatThrownBy(() -> Chart.rendered("policy: {" + values.formatted(quote + wrong + quote) + "}"))
                    .hasMessageContaining("'" + place + "'");
        }
    }

    @Test
    void aLimitMayBeAFigureOrAuto() {
        assertThat(Chart.rendered("policy: {batch: {limit: {cost: 12.5}}}").objects())
                .isNotEmpty();
        assertThat(Chart.rendered("policy: {batch: {limit: {processor-time: auto}}}")
                        .objects())
                .isNotEmpty();
    }

    static Stream<List<String>> levels() {
        List<List<String>> levels = new ArrayList<>();
        addLevels(List.of(), Chart.values(), Chart.schema(), levels);
        return levels.stream();
    }

    private static void addLevels(List<String> here, JsonNode values, JsonNode schema, List<List<String>> levels) {
        if (!schema.has("properties")) {
            return;
        }
        levels.add(here);
        values.properties()
                .forEach(value -> addLevels(
                        Stream.concat(here.stream(), Stream.of(value.getKey())).toList(),
                        value.getValue(),
                        schema.path("properties").path(value.getKey()),
                        levels));
    }

    /**
     * An object is closed by its properties, or is a map of strings. Kubernetes' own objects pass through to the API
     * server.
     */
    private static void findOpen(String path, JsonNode schema, List<String> open) {
        boolean closed = schema.path("additionalProperties").isBoolean()
                && !schema.path("additionalProperties").asBoolean();
        if (schema.has("properties") && !closed) {
            open.add(path);
        }
        schema.properties().stream()
                .filter(child -> child.getValue().isContainerNode())
                .forEach(child -> findOpen(path + "/" + child.getKey(), child.getValue(), open));
    }

    private static void namesOfValues(String path, JsonNode values, JsonNode schema, List<String> names) {
        values.properties().forEach(value -> {
            String name = path + "/" + value.getKey();
            names.add(name);
            JsonNode known = schema.path("properties").path(value.getKey());
            if (known.has("properties") && value.getValue().isObject()) {
                namesOfValues(name, value.getValue(), known, names);
            }
        });
    }

    /** The walk ends at names that values may leave out. */
    private static void namesOfSchema(String path, JsonNode schema, List<String> names) {
        schema.path("properties").properties().forEach(property -> {
            String name = path + "/" + property.getKey();
            if (!isOptional(name)) {
                names.add(name);
                namesOfSchema(name, property.getValue(), names);
            }
        });
    }

    private static boolean isOptional(String name) {
        return name.equals("/global") || name.matches("/policy/(study|[a-z]+/.+)") || name.startsWith("/affinity/");
    }
}
