package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.report.GangListReport;
import io.slotwise.web.GangAnswers;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The common options of commands that list gangs: namespace, server, format and repetition. */
final class ListedGangs extends CommonOptions {
    private static final String ALL = "--all-namespaces";

    static final String WHERE =
            RemoteOptions.WHERE + " If Slotwise does not answer, the command reads the cluster's Reservations instead.";

    private final CommandConsole console;
    private final RemoteOptions remote;
    private final Watched watched;

    ListedGangs(CommandConsole console, CommandSpec spec, Remote.Finder finder, Watched.Pause pause) {
        super(spec);
        this.console = console;
        this.remote = new RemoteOptions(spec, finder);
        remote.addToken();
        spec.addOption(RemoteOptions.namespace())
                .addOption(OptionSpec.builder("-A", ALL)
                        .type(boolean.class)
                        .description("The gangs of all namespaces.")
                        .build());
        this.watched = new Watched(console, spec, pause);
        spec.addOption(OutputFormat.option());
    }

    /** Shows the gangs that {@code picked} selects and orders. */
    void show(UnaryOperator<GangListReport> picked, Function<GangListReport, String> table) {
        try (Remote remoteSlotwise = remote.open()) {
            String namespace = namespace(remoteSlotwise);
            watched.show(() -> {
                String text = text(picked.apply(list(remoteSlotwise, namespace)), table);
                return new Watched.Look(text, text);
            });
        }
    }

    private @Nullable String namespace(Remote remote) {
        String given = given(RemoteOptions.NAMESPACE, String.class);
        if (has(ALL)) {
            return null;
        }
        return given == null ? remote.namespace() : given;
    }

    private GangListReport list(Remote remote, @Nullable String namespace) {
        try {
            return listed(remote, namespace);
        } catch (Unreachable e) {
            return new GangListReport(RemoteOptions.reserved(remote, namespace, e, console.err()).stream()
                    .map(GangAnswers::row)
                    .toList());
        }
    }

    /** Returns the gangs of a namespace, or all that the caller may see if it is null. */
    static GangListReport listed(Remote remote, @Nullable String namespace) {
        try {
            Optional<String> json = RemoteOptions.ask(remote, path(namespace), null);
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
        return switch (OutputFormat.of(spec)) {
            case TABLE -> table.apply(gangs);
            // Without the time, which would make every look a change.
            case JSON -> gangs.at(null).json();
            case CSV -> gangs.csv();
        };
    }
}
