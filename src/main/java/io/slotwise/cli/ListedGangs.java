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
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the commands have in common that list the gangs of a running Slotwise: whose, from where, in which format, and once or again and again. */
final class ListedGangs {
    private static final String ALL = "--all-namespaces";
    private static final String WATCH = "--watch";
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final String CLEAR = "\u001b[H\u001b[2J";

    /** The end of the help of these commands' descriptions. */
    static final String WHERE =
            RemoteOptions.WHERE + " If Slotwise does not answer, the command reads the cluster's Reservations instead.";

    private final Session session;
    private final CommandSpec spec;
    private final RemoteOptions remote;
    private final Pause pause;

    /** Waits between two looks. */
    @FunctionalInterface
    interface Pause {
        /** Two seconds, until the program is interrupted. */
        Pause USUAL = () -> {
            LockSupport.parkNanos(PAUSE.toNanos());
            return !Thread.currentThread().isInterrupted();
        };

        /** Whether to look again. */
        boolean again();
    }

    /** Adds the options to a command. */
    ListedGangs(Session session, CommandSpec spec, Remote.Finder finder, Pause pause) {
        this.session = session;
        this.spec = spec;
        this.pause = pause;
        this.remote = new RemoteOptions(spec, finder);
        remote.addToken();
        spec.addOption(RemoteOptions.namespace())
                .addOption(OptionSpec.builder("-A", ALL)
                        .type(boolean.class)
                        .description("The gangs of all namespaces.")
                        .build())
                .addOption(OptionSpec.builder("-w", WATCH)
                        .type(boolean.class)
                        .description("Show them again after each change, until interrupted.")
                        .build())
                .addOption(Format.option());
    }

    /**
     * Shows them.
     *
     * @param picked which of them, in which order
     * @param table how they are shown to people
     */
    void show(UnaryOperator<GangListReport> picked, Function<GangListReport, String> table) {
        boolean watch = spec.commandLine().getParseResult().hasMatchedOption(WATCH);
        try (Remote slotwise = remote.open()) {
            String namespace = namespace(slotwise);
            String shown = print("", text(picked.apply(list(slotwise, namespace)), table), watch);
            while (watch && pause.again()) {
                shown = print(shown, text(picked.apply(list(slotwise, namespace)), table), true);
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
            return listed(slotwise, namespace);
        } catch (Unreachable e) {
            return new GangListReport(RemoteOptions.reserved(slotwise, namespace, e, session.err()).stream()
                    .map(Answers::row)
                    .toList());
        }
    }

    /**
     * What a running Slotwise lists.
     *
     * @param namespace whose; null: of all that the caller may read
     * @throws Unreachable if there is no answer
     */
    static GangListReport listed(Remote slotwise, @Nullable String namespace) {
        try {
            Optional<String> json = RemoteOptions.ask(slotwise, path(namespace), null);
            return GangListReport.read(json.orElseThrow(() -> new Unreachable("Slotwise does not list gangs")));
        } catch (IOException e) {
            throw new Unreachable("the server that answered is not Slotwise: " + e.getMessage());
        }
    }

    private static String path(@Nullable String namespace) {
        return namespace == null
                ? "/api/v1/gangs"
                : "/api/v1/gangs?namespace=" + URLEncoder.encode(namespace, StandardCharsets.UTF_8);
    }

    private String text(GangListReport gangs, Function<GangListReport, String> table) {
        return switch (Format.of(spec)) {
            case TABLE -> table.apply(gangs);
            // Who watches is shown what changes, and the time always does.
            case JSON -> gangs.at(null).json();
            case CSV -> gangs.csv();
        };
    }

    /** Prints the list if it is another one than before; a screen that is watched is cleared first. */
    private String print(String before, String text, boolean watched) {
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
