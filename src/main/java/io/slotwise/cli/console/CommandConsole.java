package io.slotwise.cli.console;

import io.slotwise.report.Terminal;
import java.io.Console;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The environment of one run of the program; {@code terminal} has the abilities of the screen behind {@code out}. */
public record CommandConsole(InputStream in, PrintWriter out, PrintWriter err, Terminal terminal, InstantSource clock) {
    /** Characters that an encoding must contain for drawings beyond ASCII. */
    private static final String DRAWN = "│─┬┌┐▁▄█░×";

    public static CommandConsole ofProcess() {
        Charset charset = System.out.charset();
        return new CommandConsole(
                System.in,
                new PrintWriter(System.out, false, charset),
                new PrintWriter(System.err, true, System.err.charset()),
                terminal(System.getenv(), onTerminal(), charset, CommandConsole::asked),
                InstantSource.system());
    }

    /** Returns whether the output goes to a terminal. */
    public static boolean onTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /** Returns the abilities of a screen; {@code asked} returns the width that the terminal reports, or null. */
    static Terminal terminal(
            Map<String, String> environment, boolean onTerminal, Charset charset, Supplier<@Nullable Integer> asked) {
        String noColour = environment.get("NO_COLOR");
        boolean colour =
                onTerminal && (noColour == null || noColour.isEmpty()) && !"dumb".equals(environment.get("TERM"));
        boolean unicode = charset.canEncode() && charset.newEncoder().canEncode(DRAWN);
        Integer given = number(environment.get("COLUMNS"));
        Integer columns = given == null && onTerminal ? asked.get() : given;
        return new Terminal(
                columns == null || columns <= 0 ? Terminal.USUAL_WIDTH : Math.max(Terminal.NARROWEST, columns),
                colour,
                unicode);
    }

    private static @Nullable Integer number(@Nullable String text) {
        try {
            return text == null ? null : Integer.valueOf(text.strip());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the width of this process's terminal, as picocli determines it on every system. */
    private static Integer asked() {
        return CommandSpec.create()
                .usageMessage()
                .width(Terminal.USUAL_WIDTH)
                .autoWidth(true)
                .width();
    }
}
