package io.slotwise.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The program's version. */
@Command(name = "version", header = "Show the version.")
final class VersionCommand implements Runnable, IVersionProvider {
    private static final String RESOURCE = "version.txt";

    private final Session session;

    VersionCommand(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.out().println(text());
    }

    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }

    private static String text() {
        try (InputStream version =
                Objects.requireNonNull(VersionCommand.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return "slotwise " + new String(version.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
