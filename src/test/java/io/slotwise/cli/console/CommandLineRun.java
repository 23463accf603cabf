package io.slotwise.cli.console;

import io.slotwise.cli.Slotwise;
import io.slotwise.cli.server.Server;
import io.slotwise.report.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A run of the program within the test's process.
 *
 * @param status its exit status
 * @param out its standard output
 * @param err its standard error
 * @param served the properties of a started server, or empty
 */
public record CommandLineRun(int status, String out, String err, SortedMap<String, String> served) {
    public static final Instant CLOCK = Instant.parse("2030-01-01T00:00:00.9Z");

    /** Runs with a screen of 120 columns that shows block characters without colours. */
    public static CommandLineRun of(String... args) {
        return withInput("", args);
    }

    public static CommandLineRun withInput(String input, String... args) {
        return run(input, 120, args);
    }

    public static CommandLineRun onScreenOf(int columns, String... args) {
        return run("", columns, args);
    }

    private static CommandLineRun run(String input, int columns, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        SortedMap<String, String> served = new TreeMap<>();
        Server server = (Map<String, String> properties) -> {
            served.put("started", "yes");
            served.putAll(properties);
        };
        int status = Slotwise.run(session(input, columns, out, err), server, args);
        return new CommandLineRun(status, out.toString(), err.toString(), served);
    }

    /** Reads a command line without running it. Throws picocli's exceptions if it is wrong. */
    public static void parse(String... args) {
        Slotwise.commands(session("", 120, new StringWriter(), new StringWriter()), _ -> {})
                .parseArgs(args);
    }

    private static CommandConsole session(String input, int columns, StringWriter out, StringWriter err) {
        return new CommandConsole(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                new Terminal(columns, false, true),
                InstantSource.fixed(CLOCK));
    }
}
