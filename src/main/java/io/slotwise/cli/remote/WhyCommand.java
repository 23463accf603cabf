package io.slotwise.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.text.Suggestion;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.live.record.GangRecord;
import io.slotwise.report.CsvText;
import io.slotwise.report.GangListReport;
import io.slotwise.report.GangListReport.GangRow;
import io.slotwise.report.JsonObject;
import io.slotwise.web.GangAnswer;
import io.slotwise.web.GangAnswer.WindowAnswer;
import io.slotwise.web.PlannerAnswer.AdviceAnswer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/** Shows why a gang waits or what it was promised, and what would let it start earlier. */
public final class WhyCommand extends ConsoleCommand implements Runnable {

    private final RemoteOptions remote;
    private final PositionalParamSpec gang = word("[NAMESPACE/]GANG", "The gang; without a namespace: of kubectl's.")
            .build();

    public WhyCommand(CommandConsole console, Remote.Finder finder) {
        super(console, "why", "Explain why a gang waits, and what would make it start earlier.");

        this.remote = new RemoteOptions(spec, finder);
        remote.addToken();
        spec.addPositional(gang).addOption(RemoteOptions.namespace()).addOption(OutputFormat.option());
        help(
                spec,
                """
                slotwise why research/train
                slotwise why train -n research -o json
                slotwise why --server http://127.0.0.1:8080 research/train
                """,
                "Shows the reason, the gang's window, the alternatives that it had, and changes to its request, one "
                        + "at a time, that would make it start or start earlier, each with the window that "
                        + "the planner would give it.",
                RemoteOptions.WHERE
                        + " If Slotwise does not answer, the command reads the gang's Reservation instead.");
    }

    @Override
    public void run() {
        OutputFormat format = OutputFormat.of(spec);
        try (Remote remoteSlotwise = remote.open()) {
            GangId id = id(remoteSlotwise);
            String json = answer(remoteSlotwise, id);
            console.out()
                    .print(
                            switch (format) {
                                case TABLE -> WhyText.of(read(json), console.terminal());
                                case JSON -> RemoteOptions.indented(json);
                                case CSV -> csv(read(json));
                            });
        } catch (IOException e) {
            throw new Unreachable("the server that answered is not Slotwise: " + e.getMessage());
        }
    }

    private static GangAnswer read(String json) throws JsonProcessingException {
        return JsonObject.MAPPER.readValue(json, GangAnswer.class);
    }

    private GangId id(Remote remote) {
        String name = Objects.requireNonNull(gang.getValue(), "GANG");
        int slash = name.indexOf('/');
        if (slash > 0 && slash < name.length() - 1) {
            return new GangId(name.substring(0, slash), name.substring(slash + 1));
        }
        String given = given(RemoteOptions.NAMESPACE, String.class);
        String namespace = given == null ? remote.namespace() : given;
        if (slash >= 0 || namespace == null) {
            throw wrong("The gang (%s) has no namespace; expected NAMESPACE/GANG".formatted(name));
        }
        return new GangId(namespace, name);
    }

    private String answer(Remote remote, GangId id) throws JsonProcessingException {
        try {
            Optional<String> json = RemoteOptions.ask(
                    remote, "/api/v1/gangs/%s/%s".formatted(encoded(id.namespace()), encoded(id.name())), null);
            return json.orElseThrow(() -> unknownGang(id, () -> known(remote)));
        } catch (Unreachable e) {
            List<GangRecord> records = RemoteOptions.reserved(remote, id.namespace(), e, console.err());
            GangRecord record = records.stream()
                    .filter(other -> other.gang().equals(id))
                    .findFirst()
                    .orElseThrow(() -> unknownGang(
                            id,
                            () -> records.stream()
                                    .map(other -> other.gang().toString())
                                    .toList()));
            return JsonObject.MAPPER.writeValueAsString(GangAnswer.of(record));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static List<String> known(Remote remote) {
        try {
            Optional<String> json = RemoteOptions.ask(remote, "/api/v1/gangs", null);
            return json.isEmpty()
                    ? List.of()
                    : GangListReport.read(json.get()).gangs().stream()
                            .map(GangRow::gang)
                            .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private ParameterException unknownGang(GangId id, Supplier<List<String>> known) {
        return wrong("No gang %s is known; expected one that 'slotwise queue' lists%s"
                .formatted(
                        id,
                        Suggestion.nearest(id.toString(), known.get())
                                .map(near -> "\nDid you mean: " + near + "?")
                                .orElse("")));
    }

    /** Returns CSV with a row for the gang, and one for each change that gives another window. */
    private static String csv(GangAnswer answer) {
        CsvText csv = new CsvText(
                "\n", "gang,phase,reason,key,message,change,value,start,promisedBy,end,cost,queue,position");
        WindowAnswer window = answer.window();
        csv.row(
                answer.gang(),
                answer.phase(),
                answer.reason(),
                answer.key(),
                answer.message(),
                null,
                null,
                window == null ? null : window.start(),
                answer.promisedBy(),
                window == null ? null : window.end(),
                window == null ? null : window.cost(),
                answer.queue(),
                answer.position());
        for (AdviceAnswer advice : Objects.requireNonNullElse(answer.advice(), List.<AdviceAnswer>of())) {
            csv.row(
                    answer.gang(),
                    null,
                    null,
                    null,
                    advice.message(),
                    advice.change(),
                    advice.value(),
                    advice.start(),
                    null,
                    advice.end(),
                    advice.cost(),
                    null,
                    null);
        }
        return csv.toString();
    }
}
