package io.slotwise.cli;

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
 * One run of the program within the test's process.
 *
 * @param status its exit status
 * @param out what it printed to standard output
 * @param err what it printed to standard error
 * @param served the properties that a server was started with; empty if none was
 */
record CommandLineRun(int status, String out, String err, SortedMap<String, String> served) {
    /** The clock of every run. */
    static final Instant CLOCK = Instant.parse("2030-01-01T00:00:00.9Z");

    /** Runs with a screen of 120 columns that shows block characters without colours. */
    static CommandLineRun of(String... args) {
        return withInput("", args);
    }

    /** Runs with this text on standard input. */
    static CommandLineRun withInput(String input, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        SortedMap<String, String> served = new TreeMap<>();
        Server server = (Map<String, String> properties) -> {
            served.put("started", "yes");
            served.putAll(properties);
        };
        Session session = new Session(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                new Terminal(120, false, true),
                InstantSource.fixed(CLOCK));
        int status = Slotwise.run(session, server, args);
        return new CommandLineRun(status, out.toString(), err.toString(), served);
    }
}
