package io.slotwise.cli;

import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.report.GangListReport;
import io.slotwise.web.Answers;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The gangs of a running Slotwise. */
final class GangsCommand implements Runnable {
    private static final String ALL = "--all-namespaces";
    private static final String WATCH = "--watch";
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final String CLEAR = "\u001b[H\u001b[2J";

    private final Session session;
    private final CommandSpec spec;
    private final RemoteOptions remote;
    private final Pause pause;

    /** Waits between two looks. */
    @FunctionalInterface
    interface Pause {
        /** Whether to look again. */
        boolean again();
    }

    GangsCommand(Session session, Remote.Finder finder) {
        this(session, finder, () -> {
            LockSupport.parkNanos(PAUSE.toNanos());
            return !Thread.currentThread().isInterrupted();
        });
    }

    GangsCommand(Session session, Remote.Finder finder, Pause pause) {
        this.session = session;
        this.pause = pause;
        this.spec = Options.command("gangs", this, "List the gangs of a running Slotwise.");
        this.remote = new RemoteOptions(spec, finder);
        remote.addToken();
        spec.addOption(RemoteOptions.namespace())
                .addOption(OptionSpec.builder("-A", ALL)
                        .type(boolean.class)
                        .description("The gangs of all namespaces.")
                        .build())
                .addOption(OptionSpec.builder("-w", WATCH)
                        .type(boolean.class)
                        .description("Show them again whenever something has changed, until interrupted.")
                        .build())
                .addOption(Format.option());
        spec.usageMessage()
                .description(
                        "",
                        "Shows each gang's phase, its start, cost and budget, and why it waits.",
                        RemoteOptions.WHERE + " Where none answers, the Reservations of the cluster are read instead.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise gangs -n research",
                        "  slotwise gangs -A --watch",
                        "  slotwise gangs --server http://127.0.0.1:8080 -o json");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        boolean watch = spec.commandLine().getParseResult().hasMatchedOption(WATCH);
        try (Remote slotwise = remote.open()) {
            String namespace = namespace(slotwise);
            String shown = show("", list(slotwise, namespace), watch);
            while (watch && pause.again()) {
                shown = show(shown, list(slotwise, namespace), true);
            }
        }
    }

    private @Nullable String namespace(Remote slotwise) {
        String given = Options.given(spec, RemoteOptions.NAMESPACE, String.class);
        if (spec.commandLine().getParseResult().hasMatchedOption(ALL)) {
            return null;
        }
        return given == null ? slotwise.namespace() : given;
    }

    private GangListReport list(Remote slotwise, @Nullable String namespace) {
        try {
            Optional<String> json = RemoteOptions.ask(slotwise, path(namespace), null);
            return GangListReport.read(json.orElseThrow(() -> new Unreachable("Slotwise does not list gangs")));
        } catch (Unreachable e) {
            return new GangListReport(RemoteOptions.reserved(slotwise, namespace, e, session.err()).stream()
                    .map(Answers::row)
                    .toList());
        } catch (IOException e) {
            throw new Unreachable("what answers is no Slotwise: " + e.getMessage());
        }
    }

    private static String path(@Nullable String namespace) {
        return namespace == null
                ? "/api/v1/gangs"
                : "/api/v1/gangs?namespace=" + URLEncoder.encode(namespace, StandardCharsets.UTF_8);
    }

    /** Prints the list if it is another one than before; a screen that is watched is cleared first. */
    private String show(String before, GangListReport gangs, boolean watched) {
        String text = switch (Format.of(spec)) {
            case TABLE -> gangs.table(session.terminal());
            case JSON -> gangs.json();
            case CSV -> gangs.csv();
        };
        if (!text.equals(before)) {
            if (watched && session.terminal().colour()) {
                session.out().print(CLEAR);
            }
            session.out().print(text);
            session.out().flush();
        }
        return text;
    }
}
