package io.slotwise.it;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Ends the processes that this JVM has started when the JVM ends, even by SIGKILL.
 *
 * <p>A small shell process reads process ids from a pipe. The kernel closes the pipe with the JVM, and the shell then
 * kills the remaining ids. The shell ignores the terminal's interrupt, which reaches the whole process group.
 */
final class OrphanGuard {
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            declare -A known
            while read -r sign pid; do
              if [ "$sign" = + ]; then known[$pid]=1; else unset "known[$pid]"; fi
            done
            for pid in "${!known[@]}"; do kill -KILL "$pid" 2>/dev/null; done
            """;

    private static final OutputStream PIPE = open();

    private OrphanGuard() {}

    static void watch(Process process) {
        send('+', process.pid());
    }

    static void forget(Process process) {
        send('-', process.pid());
    }

    private static void send(char sign, long pid) {
        synchronized (PIPE) {
            try {
                PIPE.write((sign + " " + pid + "\n").getBytes(StandardCharsets.US_ASCII));
                PIPE.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static OutputStream open() {
        try {
            return new ProcessBuilder("bash", "-c", SCRIPT)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException("The guard over started programs needs bash.", e);
        }
    }
}
