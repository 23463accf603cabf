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

/**
 * What surrounds one run of the program.
 *
 * @param in standard input
 * @param out standard output
 * @param err standard error
 * @param terminal what the screen behind {@code out} can show
 * @param clock the time
 */
public record CommandConsole(InputStream in, PrintWriter out, PrintWriter err, Terminal terminal, InstantSource clock) {
    /** Characters that a screen must know to be drawn on with more than ASCII. */
    private static final String DRAWN = "│─┬┌┐▁▄█░×";

    /** The session of this process. */
    public static CommandConsole ofProcess() {
        Charset charset = System.out.charset();
        return new CommandConsole(
                System.in,
                new PrintWriter(System.out, false, charset),
                new PrintWriter(System.err, true, System.err.charset()),
                terminal(System.getenv(), onTerminal(), charset, CommandConsole::asked),
                InstantSource.system());
    }

    /** Whether a person sees at once what this process prints. */
    public static boolean onTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /**
     * What a screen can show, from the environment's {@code COLUMNS}, {@code NO_COLOR} and {@code TERM} and its
     * character set.
     *
     * @param asked the width that the terminal says; null: it says none
     */
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

    /** The width of this process's terminal, as picocli finds it out for its help on every system. */
    private static Integer asked() {
        return CommandSpec.create()
                .usageMessage()
                .width(Terminal.USUAL_WIDTH)
                .autoWidth(true)
                .width();
    }
}
