package io.slotwise.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.live.settings.LoopSettings;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Proves that the policy's reference matches the table of keys, which has every key of the reader. With {@code
 * slotwise.render} the test writes the document.
 */
class PolicyDocumentTest {
    private static final Path DOCUMENT = Path.of("docs/reference/policy.md");
    private static final String HEAD = "| key | default | accepted | meaning |\n|---|---|---|---|\n";

    @Test
    void theDocumentHasEveryKeyWithWhatTheReaderExpects() throws IOException {
        String text = Files.readString(DOCUMENT);
        String made = replaced(text, "keys", table(false));
        made = replaced(made, "keys of researchers", table(true));
        if (Boolean.getBoolean("slotwise.render")) {
            Files.writeString(DOCUMENT, made);
        }

        assertThat(text)
                .as("%s is another one; maybe run deploy/render", DOCUMENT)
                .isEqualTo(made);
        for (Preset preset : Preset.values()) {
            assertThat(text).contains("| `%s` | %s |".formatted(preset.key(), preset.suits()));
        }
    }

    private static String replaced(String text, String name, String table) {
        String from = "<!-- %s: made of the code -->\n".formatted(name);
        int begin = text.indexOf(from) + from.length();
        return text.substring(0, begin) + table + text.substring(text.indexOf("<!-- end of " + name + " -->"));
    }

    private static String table(boolean ofResearchers) {
        StringBuilder table = new StringBuilder(HEAD);
        PolicyKey.all().stream()
                .filter(key -> key.group().equals(PolicyKey.STUDY) == ofResearchers)
                .forEach(key -> table.append("| `%s` | `%s` | %s | %s |\n"
                        .formatted(key.path(), key.usual(), key.accepted(), key.meaning())));
        return table.toString();
    }

    @Test
    void anAdminHasAtMostThirtyEightKeysInAtMostNineGroups() {
        List<PolicyKey> ordinary = PolicyKey.all().stream()
                .filter(key -> !key.group().equals(PolicyKey.STUDY))
                .toList();

        assertThat(ordinary).hasSizeBetween(20, 38);
        assertThat(ordinary.stream().map(PolicyKey::group).distinct()).hasSizeBetween(5, 9);
        assertThat(PolicyKey.groups().keySet())
                .containsExactlyElementsOf(PolicyKey.all().stream()
                        .map(PolicyKey::group)
                        .distinct()
                        .toList());
    }

    @Test
    void everyValueThatTheReaderAsksForIsPartOfAKeyWithAMeaning() {
        PolicyValues asked = new PolicyValues(PolicyFile.empty().whole());
        new PolicyReader(asked).settings();

        List<String> described = new ArrayList<>();
        PolicyKey.all().forEach(key -> {
            assertThat(key.meaning()).as(key.path()).isNotBlank();
            assertThat(key.parts()).as(key.path()).isNotEmpty();
            described.addAll(key.parts().keySet());
        });

        assertThat(described).containsExactlyInAnyOrderElementsOf(asked.asked().keySet());
    }

    @Test
    void theDefaultsOfTheTableAreThoseOfTheProgram() {
        SortedMap<String, String> stated = new TreeMap<>();
        PolicyKey.all().forEach(key -> stated.put(key.path(), key.usual()));
        StringBuilder policy = new StringBuilder();
        stated.forEach((path, usual) -> policy.append("%s: %s\n".formatted(path, usual)));

        assertThat(PolicyFile.read(new StringReader(policy.toString()), "defaults"))
                .isEqualTo(LoopSettings.DEFAULT);
    }
}
