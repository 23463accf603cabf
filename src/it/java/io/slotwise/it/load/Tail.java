package io.slotwise.it.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Counts bindings and ends of one namespace in a growing audit log. Lines are not parsed but searched for words, to
 * leave the processors to the measured programs. A line is counted once it is complete.
 */
final class Tail implements AutoCloseable {
    /** The verbs that change something. */
    static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");

    private final BufferedReader lines;
    private final String namespace;
    private final StringBuilder begun = new StringBuilder();
    private int bound;
    private int ended;
    private int writes;

    Tail(Path log, String namespace) {
        this.namespace = "\"namespace\":\"" + namespace + "\"";
        try {
            lines = Files.newBufferedReader(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void read() {
        try {
            char[] block = new char[1 << 16];
            while (lines.ready()) {
                int length = lines.read(block);
                for (int i = 0; i < length; i++) {
                    if (block[i] == '\n') {
                        count(begun.toString());
                        begun.setLength(0);
                    } else {
                        begun.append(block[i]);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void count(String line) {
        if (line.contains("\"verb\":\"get\"") || line.contains("\"verb\":\"list\"") || !line.contains(namespace)) {
            return;
        }
        writes++;
        if (line.contains("\"subresource\":\"binding\"") && line.contains("\"code\":201")) {
            bound++;
        } else if (line.contains("\"subresource\":\"status\"") && line.contains("\"phase\":\"Succeeded\"")) {
            ended++;
        }
    }

    int bound() {
        return bound;
    }

    /** The ended pods so far. A pod whose end is written twice counts twice. */
    int ended() {
        return ended;
    }

    /** All writes so far, including those of kwok. */
    int writes() {
        return writes;
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
