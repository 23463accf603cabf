package io.slotwise.cli;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

final class VersionCommand extends ConsoleCommand implements Runnable, IVersionProvider {
    private static final String RESOURCE = "version.txt";

    VersionCommand(CommandConsole console) {
        super(console, "version", "Show the version.");
    }

    @Override
    public void run() {
        console.out().println(text());
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
            throw new UncheckedIOException(e);
        }
    }
}
