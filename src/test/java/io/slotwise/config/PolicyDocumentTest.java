package io.slotwise.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.live.settings.LoopSettings;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The reference of the policy file is made of the code: the keys that the reader knows, with what it says that it
 * expects of each. The meanings are those of the chart's values. What the document should be is left in {@code
 * target/documents}.
 */
class PolicyDocumentTest {
    private static final Path DOCUMENT = Path.of("docs/policy.md");
    private static final Path VALUES = Path.of("helm/slotwise/values.yaml");
    private static final Path SCHEMA = Path.of("helm/slotwise/values.schema.json");
    private static final String FROM = "<!-- keys: made of the code -->";
    private static final String TO = "<!-- end of keys -->";
    private static final String NONSENSE = "";

    /**
     * What the keys are without the chart whose defaults there are for a cluster only: where a change costs writes and
     * a pod takes time to end.
     */
    private static final Map<String, String> OF_A_CLUSTER =
            Map.of("turnover", "0s", "replan-gain", "0", "promise-slack", "0");

    private record Key(String name, String usual, String meaning) {}

    @Test
    void theDocumentHasEveryKeyWithWhatTheReaderExpects() throws IOException {
        String text = Files.readString(DOCUMENT);
        StringBuilder table = new StringBuilder(FROM + "\n| key | default | accepted | meaning |\n|---|---|---|---|\n");
        for (Key key : keys()) {
            table.append("| `%s` | `%s` | %s | %s |\n".formatted(key.name, key.usual, expected(key.name), key.meaning));
        }
        String made = text.substring(0, text.indexOf(FROM)) + table + text.substring(text.indexOf(TO));
        Path target = Path.of("target/documents/policy.md");
        Files.createDirectories(target.getParent());
        Files.writeString(target, made);

        assertThat(text).as("%s should be %s", DOCUMENT, target).isEqualTo(made);
    }

    @Test
    void theChartHasEveryKeyOfTheReaderAndNoOther() throws IOException {
        Set<String> known = known();
        known.remove("default-criterion"); // another name of `criterion`

        assertThat(keys().stream().map(Key::name)).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void theChartTakesEveryChoiceThatTheReaderTakesAndNoOther() throws IOException {
        JsonNode policy = new ObjectMapper()
                .readTree(Files.readString(SCHEMA))
                .path("properties")
                .path("policy")
                .path("properties");
        int choices = 0;
        for (Key key : keys()) {
            Matcher listed = Pattern.compile("one of ([a-z, -]+)").matcher(expected(key.name));
            if (listed.matches()) {
                List<String> taken = Arrays.stream(listed.group(1).split(", "))
                        .filter(choice -> isTaken(key.name + ": " + choice))
                        .toList();
                List<String> offered = new ArrayList<>();
                policy.path(key.name).path("enum").forEach(choice -> offered.add(choice.asText()));
                assertThat(offered).as(key.name).containsExactlyInAnyOrderElementsOf(taken);
                choices++;
            }
        }
        assertThat(choices).isGreaterThan(8);
    }

    private static boolean isTaken(String policy) {
        try {
            PolicyFile.read(new StringReader(policy), "choice");
            return true;
        } catch (InvalidInput refused) {
            return false;
        }
    }

    @Test
    void theDefaultsOfTheDocumentAreThoseOfTheReader() throws IOException {
        StringBuilder policy = new StringBuilder();
        for (Key key : keys()) {
            policy.append("%s: %s\n".formatted(key.name, OF_A_CLUSTER.getOrDefault(key.name, key.usual)));
        }

        assertThat(PolicyFile.read(new StringReader(policy.toString()), "defaults"))
                .isEqualTo(LoopSettings.DEFAULT);
    }

    /** The keys of the chart's policy in their order. */
    private static List<Key> keys() throws IOException {
        List<Key> keys = new ArrayList<>();
        String meaning = "";
        boolean inside = false;
        for (String line : Files.readAllLines(VALUES)) {
            inside = line.equals("policy:") || (inside && (line.isBlank() || line.startsWith(" ")));
            Matcher key = Pattern.compile("  ([a-z-]+): (.+)").matcher(line);
            if (inside && line.startsWith("  # -- ")) {
                meaning = line.substring("  # -- ".length());
            } else if (inside && key.matches()) {
                keys.add(new Key(key.group(1), key.group(2), meaning));
            }
        }
        return keys;
    }

    /** What the reader says that it expects. */
    private static String expected(String key) {
        String message = complaint(key, NONSENSE);
        return message.substring(message.indexOf("expected ") + "expected ".length());
    }

    private static Set<String> known() {
        String message = complaint("no-such-key", "1");
        Set<String> keys = new TreeSet<>();
        for (String key : message.substring(message.indexOf("one of ") + "one of ".length())
                .split(", ", -1)) {
            keys.add(key.contains(".") ? key.substring(0, key.indexOf('.')) : key);
        }
        return keys;
    }

    private static String complaint(String key, String value) {
        String policy = "%s: \"%s\"\n".formatted(key, value);
        try {
            PolicyFile.read(new StringReader(policy), "policy");
        } catch (InvalidInput e) {
            return String.valueOf(e.getMessage());
        }
        throw new AssertionError("The policy (%s) must be refused.".formatted(policy));
    }
}
