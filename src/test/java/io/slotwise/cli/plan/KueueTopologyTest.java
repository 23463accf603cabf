package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.testing.KueueManifest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Proves that gangs start in the domains in which Kueue's tests of topology-aware scheduling place them. The levels are
 * those of a Topology object.
 */
class KueueTopologyTest {
    private static final List<String> LEVELS = List.of("block", "rack", "host");
    private static final Map<String, String> SETS = Map.of(
            "DEFAULT", "b1/r1/x3:1 b1/r2/x5:1 b1/r2/x1:1 b1/r2/x6:1 b2/r1/x2:1 b2/r2/x4:2",
            "SCATTERED", "b1/r1/x3:4 b1/r1/x5:1 b1/r1/x1:1 b2/r1/x6:2 b2/r1/x2:1",
            "BINARY", "b1/r1/x3:1 b1/r1/x5:1 b1/r2/x1:1 b1/r2/x6:1 b2/r1/x2:1 b2/r1/x4:1 b2/r2/x7:1 b2/r2/x8:1");

    private static final Pattern NODE =
            Pattern.compile("(\\w+)/(\\w+)/(\\w*):([\\d.]+)(?:g(\\d+))?(?:p(\\d+))?([!#~]?)(?:@(.+))?");
    private static final Pattern POD_SET = Pattern.compile("(\\d+)x([\\d.]+)(?:g(\\d+))?");
    private static final String TOPOLOGY = """
            {apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: default}, \
            spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: host}]}}
            """;

    private static String node(String text) {
        Matcher node = matching(NODE, text);
        return """
                ---
                {apiVersion: v1, kind: Node, metadata: {name: %s, labels: {block: %s, rack: %s%s%s}}, spec: {%s}, \
                status: {allocatable: {cpu: "%s", memory: 1Gi, gpu.example/gpu: "%s", pods: "%s"}, \
                conditions: [{type: Ready, status: "%s"}]}}
                """.formatted(
                        name(text),
                        node.group(1),
                        node.group(2),
                        node.group(3).isEmpty() ? "" : ", host: " + node.group(3),
                        node.group(8) == null ? "" : ", zone: " + node.group(8),
                        switch (node.group(7)) {
                            case "#" -> "unschedulable: true";
                            case "~" -> "taints: [{key: gpu.example/gpu, value: present, effect: NoSchedule}]";
                            default -> "";
                        },
                        node.group(4),
                        node.group(5) == null ? "0" : node.group(5),
                        node.group(6) == null ? "40" : node.group(6),
                        node.group(7).equals("!") ? "False" : "True");
    }

    private static String name(String node) {
        return String.join("-", node.substring(0, node.indexOf(':')).split("/", 0));
    }

    private static Matcher matching(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.matches()).as(text).isTrue();
        return matcher;
    }

    /** A gang of the pods of all pod sets. */
    private static String gang(String asks, String podSets) {
        List<Matcher> sets = Arrays.stream(podSets.split(" ", -1))
                .map(text -> matching(POD_SET, text))
                .toList();
        int size = sets.stream().mapToInt(set -> Integer.parseInt(set.group(1))).sum();
        StringBuilder yaml = new StringBuilder();
        for (int set = 0; set < sets.size(); set++) {
            for (int i = 0; i < Integer.parseInt(sets.get(set).group(1)); i++) {
                yaml.append("""
                        ---
                        {apiVersion: v1, kind: Pod, metadata: {name: p%d-%d, namespace: default, labels: {slotwise.io/gang: g}, \
                        annotations: {slotwise.io/gang-size: "%d", slotwise.io/runtime: 1h%s}}, \
                        spec: {schedulerName: slotwise%s, containers: [{name: c, resources: {requests: {cpu: "%s"}, \
                        limits: {%s}}}]}}
                        """.formatted(
                                set,
                                i,
                                size,
                                annotation(asks),
                                terms(asks),
                                sets.get(set).group(2),
                                gpus(sets.get(set))));
            }
        }
        return yaml.toString();
    }

    private static String gpus(Matcher podSet) {
        return podSet.group(3) == null ? "" : "gpu.example/gpu: \"%s\"".formatted(podSet.group(3));
    }

    private static String annotation(String asks) {
        String[] words = asks.split(" ", -1);
        String level = words.length > 1 && LEVELS.contains(words[1]) ? words[1] : "\"true\"";
        return asks.isEmpty() ? "" : ", kueue.x-k8s.io/podset-%s-topology: %s".formatted(words[0], level);
    }

    private static String terms(String asks) {
        String zone = asks.contains("@") ? ", nodeSelector: {zone: %s}".formatted(asks.replaceAll(".*@", "")) : "";
        return asks.contains("+tolerates")
                ? zone + ", tolerations: [{key: gpu.example/gpu, operator: Equal, value: present}]"
                : zone;
    }

    /** The pods that are there already, on the first node. */
    private static String others(String asks, String firstNode) {
        StringBuilder yaml = new StringBuilder();
        for (String word : asks.split(" ", -1)) {
            String phase = switch (word) {
                case "+pending", "+waiting" -> "Pending";
                case "+running" -> "Running";
                case "+ended" -> "Succeeded";
                default -> "";
            };
            if (!phase.isEmpty()) {
                yaml.append(
                        """
                        ---
                        {apiVersion: v1, kind: Pod, metadata: {name: other-%d, namespace: default}, \
                        spec: {schedulerName: other%s, containers: [{name: c, resources: {requests: {cpu: 600m}}}]}, \
                        status: {phase: %s}}
                        """.formatted(yaml.length(), word.equals("+waiting") ? "" : ", nodeName: " + firstNode, phase));
            }
        }
        return yaml.toString();
    }

    /** The domains of the nodes on which the gang starts now. */
    private static String planned(List<String> nodes, String manifest, String level) {
        CommandLineRun run = CommandLineRun.withInput(
                manifest, "plan", "-f", "-", "--now", KueueManifest.NOW.toString(), "-o", "csv");
        int depth = LEVELS.indexOf(level);
        TreeSet<String> domains = run.out()
                .lines()
                .skip(1)
                .map(line -> line.split(",", -1))
                .filter(row -> row[3].equals(KueueManifest.NOW.toString()))
                .map(row -> nodes.stream()
                        .filter(node -> name(node).equals(row[2]))
                        .findFirst()
                        .orElseThrow())
                .map(node -> node.substring(0, node.indexOf(':')).split("/", -1))
                .map(path -> depth == 2 ? path[2] : String.join("/", Arrays.copyOf(path, depth + 1)))
                .collect(Collectors.toCollection(TreeSet::new));
        return domains.isEmpty() ? "none" : String.join(" ", domains);
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/topology/kueue.psv", delimiter = '|', numLinesToSkip = 1)
    void aGangStartsWhereKueueWouldPlaceIt(
            String name,
            String nodeTexts,
            @Nullable String asks,
            String pods,
            String level,
            String domains,
            @Nullable String other,
            @Nullable String reason) {
        List<String> nodes = List.of(SETS.getOrDefault(nodeTexts, nodeTexts).split(" ", -1));
        String words = asks == null ? "" : asks;
        String manifest = TOPOLOGY
                + nodes.stream().map(KueueTopologyTest::node).collect(Collectors.joining())
                + others(words, name(nodes.getFirst()))
                + gang(words, pods);

        assertThat(reason == null).isEqualTo(other == null);
        assertThat(planned(nodes, manifest, level))
                .as("%s (%s)", name, reason)
                .isEqualTo(other == null ? domains : other);
    }
}
