package io.slotwise.cli;

import io.slotwise.report.Terminal;
import java.io.Console;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds one run of the program.
 *
 * @param in standard input
 * @param out standard output
 * @param err standard error
 * @param terminal what the screen behind {@code out} can show
 * @param clock the time
 */
record Session(InputStream in, PrintWriter out, PrintWriter err, Terminal terminal, InstantSource clock) {
    /** Characters that a screen must know to be drawn on with more than ASCII. */
    private static final String DRAWN = "│─┬┌┐▁▄█░×";

    /** The session of this process. */
    static Session ofProcess() {
        Charset charset = System.out.charset();
        return new Session(
                System.in,
                new PrintWriter(System.out, false, charset),
                new PrintWriter(System.err, true, System.err.charset()),
                terminal(System.getenv(), onTerminal(), charset),
                InstantSource.system());
    }

    /** Whether a person sees at once what this process prints. */
    static boolean onTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /** What a screen can show, from the environment's {@code COLUMNS}, {@code NO_COLOR} and {@code TERM} and its character set. */
    static Terminal terminal(Map<String, String> environment, boolean onTerminal, Charset charset) {
        String noColour = environment.get("NO_COLOR");
        boolean colour =
                onTerminal && (noColour == null || noColour.isEmpty()) && !"dumb".equals(environment.get("TERM"));
        boolean unicode = charset.canEncode() && charset.newEncoder().canEncode(DRAWN);
        return new Terminal(columns(environment.get("COLUMNS")), colour, unicode);
    }

    private static int columns(@Nullable String text) {
        try {
            return text == null ? Terminal.USUAL_WIDTH : Math.max(Terminal.NARROWEST, Integer.parseInt(text.strip()));
        } catch (NumberFormatException e) {
            return Terminal.USUAL_WIDTH;
        }
    }
}
