package io.slotwise.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandConsoleTest {
    @Test
    void coloursNeedATerminalThatWantsThem() {
        assertThat(CommandConsole.terminal(Map.of(), true, StandardCharsets.UTF_8, () -> null)
                        .colour())
                .isTrue();
        assertThat(CommandConsole.terminal(Map.of(), false, StandardCharsets.UTF_8, () -> null)
                        .colour())
                .isFalse();
        assertThat(CommandConsole.terminal(Map.of("NO_COLOR", "1"), true, StandardCharsets.UTF_8, () -> null)
                        .colour())
                .isFalse();
        assertThat(CommandConsole.terminal(Map.of("NO_COLOR", ""), true, StandardCharsets.UTF_8, () -> null)
                        .colour())
                .isTrue();
        assertThat(CommandConsole.terminal(Map.of("TERM", "dumb"), true, StandardCharsets.UTF_8, () -> null)
                        .colour())
                .isFalse();
    }

    @Test
    void blockCharactersNeedACharacterSetThatHasThem() {
        assertThat(CommandConsole.terminal(Map.of(), true, StandardCharsets.UTF_8, () -> null)
                        .unicode())
                .isTrue();
        assertThat(CommandConsole.terminal(Map.of(), true, StandardCharsets.US_ASCII, () -> null)
                        .unicode())
                .isFalse();
        assertThat(CommandConsole.terminal(Map.of(), true, StandardCharsets.ISO_8859_1, () -> null)
                        .unicode())
                .isFalse();
    }

    @Test
    void theWidthIsTheEnvironmentsOrTheUsualOne() {
        assertThat(CommandConsole.terminal(Map.of("COLUMNS", "133"), true, StandardCharsets.UTF_8, () -> null)
                        .columns())
                .isEqualTo(133);
        assertThat(CommandConsole.terminal(Map.of("COLUMNS", "3"), true, StandardCharsets.UTF_8, () -> null)
                        .columns())
                .isEqualTo(40);
        assertThat(CommandConsole.terminal(Map.of("COLUMNS", "wide"), true, StandardCharsets.UTF_8, () -> null)
                        .columns())
                .isEqualTo(100);
        assertThat(CommandConsole.terminal(Map.of(), true, StandardCharsets.UTF_8, () -> null)
                        .columns())
                .isEqualTo(100);
    }

    @Test
    void aTerminalIsAskedForItsWidthWhereTheEnvironmentDoesNotSayIt() {
        assertThat(CommandConsole.terminal(Map.of(), true, StandardCharsets.UTF_8, () -> 80)
                        .columns())
                .isEqualTo(80);
        assertThat(CommandConsole.terminal(Map.of("COLUMNS", "133"), true, StandardCharsets.UTF_8, () -> 80)
                        .columns())
                .isEqualTo(133);
        assertThat(CommandConsole.terminal(Map.of(), false, StandardCharsets.UTF_8, () -> 80)
                        .columns())
                .as("what goes into a file or a pipe")
                .isEqualTo(100);
        assertThat(CommandConsole.terminal(Map.of(), true, StandardCharsets.UTF_8, () -> 0)
                        .columns())
                .as("a terminal that does not know")
                .isEqualTo(100);
    }
}
