package io.slotwise.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Comments and documents keep the rules of {@link ProseRules}. An exception stands with its reason in
 * {@code exceptions.tsv}: the file, the rule, the first words of the sentence and the reason, with tabs between them.
 */
class ProseTest {
    private static final Path RULES = Path.of("src/test/resources/prose/words.tsv");
    private static final Path EXCEPTIONS = Path.of("src/test/resources/prose/exceptions.tsv");
    private static final Path MADE_BY_COMMANDS = Path.of("docs/studies/tables");
    private static final int MOST_EXCEPTIONS = 20;

    private static final List<Path> TEXTS = List.of(
            Path.of("README.md"),
            Path.of("CONTRIBUTING.md"),
            Path.of("CHANGELOG.md"),
            Path.of("helm/slotwise/README.md"),
            Path.of("docs"),
            Path.of("src/main"),
            Path.of("src/it"),
            Path.of("src/jmh"),
            Path.of("src/test"));

    @Test
    void commentsAndDocumentsKeepTheRules() throws IOException {
        ProseRules rules = ProseRules.read(RULES);
        List<Exemption> exemptions = exemptions();
        Set<Exemption> used = new LinkedHashSet<>();
        List<String> found = new ArrayList<>();
        for (Path file : texts()) {
            for (Finding finding : findings(rules, file)) {
                List<Exemption> here = exemptions.stream()
                        .filter(exemption -> exemption.covers(file, finding))
                        .toList();
                if (here.isEmpty()) {
                    found.add("%s:%d %s: %s%n    %s"
                            .formatted(file, finding.line(), finding.rule(), finding.message(), finding.sentence()));
                }
                used.addAll(here);
            }
        }

        assertThat(found.size())
                .as("findings:%n%s", String.join(System.lineSeparator(), found))
                .isZero();
        assertThat(used).as("an exception that is not needed goes").containsExactlyInAnyOrderElementsOf(exemptions);
    }

    @Test
    void thereAreAtMostTwentyExceptionsEachWithAReason() throws IOException {
        assertThat(exemptions())
                .hasSizeLessThanOrEqualTo(MOST_EXCEPTIONS)
                .allSatisfy(exemption -> assertThat(exemption.reason()).isNotBlank());
    }

    @Test
    void aCommentThatBreaksRulesIsFound() throws IOException {
        String source = """
            /** Whom it talks to. */
            class Source {
                /** The nodes; of those the free ones: they go; the rest stays. */
                // Nobody waits beside a node {@code whoever}.
                // Who waits is told. We ask. It used to wait.
                String text = "/** What is no comment. */"; // Those of a line.
                /**
                 * Returns whether a gang waits. Of the gangs those go that waited.
                 *
                 * @param gang whether {@link Source#text no scene} is asked, and nobody
                 * @return what is found, %s
                 */
            }
            """.formatted("and more ".repeat(17));

        assertThat(rules(JavaProse.of(source)))
                .containsExactly(
                        "1 opening",
                        "3 chain",
                        "4 words",
                        "4 words",
                        "4 start",
                        "4 history",
                        "4 history",
                        "6 opening",
                        "7 start",
                        "7 words",
                        "7 words",
                        "7 long");
    }

    @Test
    void aCommentThatKeepsTheRulesHasNoFinding() throws IOException {
        String source = """
            /**
             * The nodes on which pods of a gang may run, e.g. those of a zone.
             *
             * <p>Time: O(n log n (m + k)) for n nodes, see "Nobody: a; b; c".
             * <pre>
             * Whether nobody: a; b; c
             * </pre>
             * Sources: A. Author, "Of Nodes", 2001; B. Author, "Of Pods", 2002; C. Author, "Of Gangs", 2003.
             */
            class Source {
                /** Returns whether {@code whoever} is used to compare {@linkplain Source#text two nodes}. */
                // It waits until the API server answers, in 12:00:01 us or 3 us.
                char quote = '"'; // the node's "whoever"
            }
            """;

        assertThat(rules(JavaProse.of(source))).isEmpty();
    }

    @Test
    void aDocumentThatBreaksRulesIsFound() throws IOException {
        String document = """
            # Anew

            A gang waits
            beside a node.

            - An item: with a colon: and another.
            - An item that no longer says much.

            | nobody | here; there: and more; the same: again |
            |---|---|
            | %s | `|` and whoever |

            In the moment the the gang starts, it has Code Code.
            """.formatted("A short sentence. ".repeat(34));

        assertThat(rules(MarkdownProse.of(document)))
                .containsExactly(
                        "1 words",
                        "3 words",
                        "6 chain",
                        "9 words",
                        "9 chain",
                        "11 paragraph",
                        "11 words",
                        "13 words",
                        "13 words");
    }

    @Test
    void aDocumentThatKeepsTheRulesHasNoFinding() throws IOException {
        String document = """
            # Whether a gang waits

            ```yaml
            nobody: a; b; c
            ```

            Of two nodes the planner takes the first: see [the page](https://example.com/%s).
            `nobody: a; b; c` is code, and <https://example.com/anew> an address.
            """.formatted("long".repeat(150));

        assertThat(rules(MarkdownProse.of(document))).isEmpty();
    }

    private static List<String> rules(List<Paragraph> paragraphs) throws IOException {
        ProseRules rules = ProseRules.read(RULES);
        return paragraphs.stream()
                .flatMap(paragraph -> rules.check(paragraph).stream())
                .map(finding -> finding.line() + " " + finding.rule())
                .toList();
    }

    private static List<Finding> findings(ProseRules rules, Path file) throws IOException {
        String text = Files.readString(file);
        List<Paragraph> paragraphs = file.toString().endsWith(".md") ? MarkdownProse.of(text) : JavaProse.of(text);
        return paragraphs.stream()
                .flatMap(paragraph -> rules.check(paragraph).stream())
                .toList();
    }

    private static List<Path> texts() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path root : TEXTS) {
            try (Stream<Path> all = Files.walk(root)) {
                all.filter(file -> !file.startsWith(MADE_BY_COMMANDS))
                        .filter(file -> file.toString().endsWith(".md")
                                || file.toString().endsWith(".java"))
                        .sorted()
                        .forEach(files::add);
            }
        }
        return files;
    }

    private static List<Exemption> exemptions() throws IOException {
        return Files.readAllLines(EXCEPTIONS).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\t", -1))
                .map(columns -> new Exemption(Path.of(columns[0]), columns[1], columns[2], columns[3]))
                .toList();
    }

    /** A sentence that may break a rule, by its first words. */
    private record Exemption(Path file, String rule, String words, String reason) {
        boolean covers(Path where, Finding finding) {
            return file.equals(where)
                    && rule.equals(finding.rule())
                    && finding.sentence().startsWith(words);
        }
    }
}
