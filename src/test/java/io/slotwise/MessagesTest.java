package io.slotwise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The catalogue of all sentences that the program can say, so that a change of wording is one reviewed difference:
 * {@code src/test/resources/messages.txt} has every template of several words in the sources, a line each, sorted, each
 * once, with <code>{}</code> for what is filled in by concatenation. A test that is about behaviour asserts on keys and
 * values; one that is about wording leaves the words to this list where it can.
 *
 * <p>After a change of wording {@code mvn test -Dtest=MessagesTest -Dslotwise.messages=true} writes the catalogue
 * again.
 */
class MessagesTest {
    private static final Path CATALOGUE = Path.of("src/test/resources/messages.txt");

    @Test
    void theCatalogueHasEverySentenceOfTheSources() throws IOException {
        List<String> sentences = ReadSentences.saidUnder(Path.of("src/main/java"));
        if (Boolean.getBoolean("slotwise.messages")) {
            Files.writeString(CATALOGUE, String.join("\n", sentences) + "\n");
        }

        assertThat(Files.readAllLines(CATALOGUE))
                .as("the catalogue of sentences; -Dslotwise.messages=true writes it again")
                .isEqualTo(sentences);
    }

    @Test
    void noSentenceHasWordsThatTheDocumentationAvoids() throws IOException {
        assertThat(ReadSentences.saidUnder(Path.of("src/main/java")))
                .noneMatch(sentence -> sentence.matches(
                        "(?i).*\\b(nobody|somebody|anybody|whoever|befalls?|beside|stands? still|taken "
                                + "back|called back|at average|anew|in force)\\b.*"));
    }

    @Test
    void aSentenceIsPutTogetherOfItsParts() throws IOException {
        String source = """
                class Source {
                    String one(String name) { return "gang " + name + " has" + " started"; }
                    String two(int size) { return "%d pods are missing".formatted(size); }
                    String word() { return "start"; }
                    String lines() { return \"""
                            two
                            lines here
                            \"""; }
                }
                """;

        assertThat(ReadSentences.saidIn("Source.java", source))
                .containsExactly("%d pods are missing", "gang {} has started", "two\\nlines here\\n");
    }
}
