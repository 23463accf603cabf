package io.slotwise;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.work.Steps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Checks that the page on security lists each kind of steps with its limit. */
class DocumentedStepsTest {
    @Test
    void theTableOfStepsIsThatOfTheProgram() throws IOException {
        String page = Files.readString(Path.of("docs/explanation/security.md"));

        assertThat(page.substring(page.indexOf("| steps |"), page.indexOf("\n## The extender"))
                        .lines()
                        .filter(line -> line.startsWith("|"))
                        .skip(2))
                .containsExactlyElementsOf(Arrays.stream(Steps.Kind.values())
                        .map(kind -> "| %s | %,d | %s |"
                                .formatted(kind.words(), kind.most(), kind.isOfEachPod() ? "each pod" : "a namespace"))
                        .toList());
    }
}
