package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.slotwise.cli.Document.Command;
import io.slotwise.cli.Document.Kind;
import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Proves that the commands in the documents do as shown. Commands of Slotwise without a mark are run and print the
 * lines below them, marked ones are at least parsed, and foreign ones are marked. The documents with the real output
 * are written to {@code target/documents}.
 */
class DocumentsTest {
    static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            return Stream.concat(Stream.of(Path.of("README.md")), files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void documentedCommandsPrintTheShownOutput(Path file) throws IOException {
        Document document = Document.read(file);
        List<String> shown = new ArrayList<>(document.lines());
        for (Command command : document.commands().reversed()) {
            if (command.kind() == Kind.SHOWN && command.isOurs()) {
                CommandLineRun run = CommandLineRun.onScreenOf(command.columns(), command.words());
                assertThat(run.status())
                        .as("%s: %s", command.place(), run.err())
                        .isZero();
                command.show(run.out().lines().toList(), shown);
            }
        }
        Path made = Path.of("target/documents").resolve(document.name());
        Files.createDirectories(made.getParent());
        Files.write(made, shown);

        assertThat(String.join("\n", document.lines()))
                .as("%s should be %s", file, made)
                .isEqualTo(String.join("\n", shown));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void documentedCommandsAreParsed(Path file) throws IOException {
        for (Command command : Document.read(file).commands()) {
            if (command.isOurs() && command.kind() != Kind.HOST) {
                assertThatCode(() -> CommandLineRun.parse(command.words()))
                        .as("%s: %s", command.place(), String.join(" ", command.words()))
                        .doesNotThrowAnyException();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void uncheckedCommandsAreMarked(Path file) throws IOException {
        Document document = Document.read(file);

        assertThat(document.commands())
                .filteredOn(command -> !command.isOurs())
                .allSatisfy(command ->
                        assertThat(command.kind()).as(command.place()).isNotEqualTo(Kind.SHOWN));
        assertThat(document.unmarked()).isEmpty();
        if (document.commands().stream().anyMatch(command -> command.kind() == Kind.CLUSTER)) {
            assertThat(String.join(" ", document.lines())).as(document.name()).containsPattern("needs? a cluster");
        }
    }
}
