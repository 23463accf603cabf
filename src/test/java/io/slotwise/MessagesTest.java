package io.slotwise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares the messages in the sources with a catalogue, so that a change of wording shows up as one reviewed
 * difference. {@code src/test/resources/messages.txt} lists every string template of several words in the sources, one
 * a line, sorted and without duplicates. <code>{}</code> stands for a part that is filled in by concatenation. Tests of
 * behaviour assert on keys and values and leave the wording to this catalogue where they can.
 *
 * <p>To write the catalogue again after a change of wording, run {@code mvn test -Dtest=MessagesTest
 * -Dslotwise.messages=true}.
 */
class MessagesTest {
    private static final Path CATALOGUE = Path.of("src/test/resources/messages.txt");

    @Test
    void theCatalogueHasEverySentenceOfTheSources() throws IOException {
        List<String> sentences = ReadSentences.sentencesUnder(Path.of("src/main/java"));
        if (Boolean.getBoolean("slotwise.messages")) {
            Files.writeString(CATALOGUE, String.join("\n", sentences) + "\n");
        }

        assertThat(Files.readAllLines(CATALOGUE))
                .as("the catalogue of sentences; -Dslotwise.messages=true writes it again")
                .isEqualTo(sentences);
    }

    @Test
    void noSentenceHasWordsThatTheDocumentationAvoids() throws IOException {
        assertThat(ReadSentences.sentencesUnder(Path.of("src/main/java")))
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

        assertThat(ReadSentences.sentencesIn("Source.java", source))
                .containsExactly("%d pods are missing", "gang {} has started", "two\\nlines here\\n");
    }
}
