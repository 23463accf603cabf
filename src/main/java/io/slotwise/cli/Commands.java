package io.slotwise.cli;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.cli.plan.CheckCommand;
import io.slotwise.cli.plan.PlanCommand;
import io.slotwise.cli.plan.QueuesCommand;
import io.slotwise.cli.plan.QuoteCommand;
import io.slotwise.cli.policy.PolicyCommand;
import io.slotwise.cli.remote.BoardCommand;
import io.slotwise.cli.remote.CancelCommand;
import io.slotwise.cli.remote.CompletionCommand;
import io.slotwise.cli.remote.DiagCommand;
import io.slotwise.cli.remote.NodesCommand;
import io.slotwise.cli.remote.QueueCommand;
import io.slotwise.cli.remote.RemoteOptions;
import io.slotwise.cli.remote.ReserveCommand;
import io.slotwise.cli.remote.UngateCommand;
import io.slotwise.cli.remote.WhyCommand;
import io.slotwise.cli.remote.WordsCommand;
import io.slotwise.cli.server.DemoCommand;
import io.slotwise.cli.server.ExtenderKeysCommand;
import io.slotwise.cli.server.ServeCommand;
import io.slotwise.cli.server.Server;
import io.slotwise.cli.study.ConvertCommand;
import io.slotwise.cli.study.ExperimentCommand;
import io.slotwise.cli.study.FrontierCommand;
import io.slotwise.cli.study.MergeCommand;
import io.slotwise.cli.study.PriceCommand;
import io.slotwise.cli.study.SimulateCommand;
import io.slotwise.lab.experiment.catalogue.Experiments;
import io.slotwise.lab.workload.LogFolder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The program's commands, and the groups in which the help lists them.
 *
 * @param width the width of the help, in columns
 */
record Commands(CommandConsole console, int width) {
    private static final String POLICY = "policy";
    private static final String STUDY = "study";
    private static final String COMPLETION = "completion";
    private static final String COMPLETE = "__complete";
    /** Commands that need the model of all others. */
    private static final Set<String> OF_ALL = Set.of(COMPLETION, COMPLETE);

    /** The groups of the help, in order. A command without a group is not listed. */
    private static final Map<String, List<String>> GROUPS = groups();

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("Ask a running Slotwise", List.of("queue", "nodes", "why", "diag", "board"));
        groups.put("Plan", List.of("plan", "check", "queues", "quote", "reserve", "cancel", POLICY));
        groups.put("Study", List.of(STUDY));
        groups.put("Serve", List.of("serve", "demo"));
        groups.put("This program", List.of(COMPLETION, "version"));
        return groups;
    }

    /** Adds the subcommands: all, or only the one with which {@code args} begin, because the whole model is slow. */
    private void add(CommandSpec parent, Map<String, Supplier<CommandSpec>> all, List<String> args) {
        boolean one = !args.isEmpty() && all.containsKey(args.getFirst()) && !OF_ALL.contains(args.getFirst());
        all.forEach((name, command) -> {
            if (!one || name.equals(args.getFirst())) {
                parent.addSubcommand(name, new CommandLine(UnbrokenExamples.in(command.get(), width)));
            }
        });
    }

    void addTo(CommandSpec program, Server server, VersionCommand versions, List<String> args) {
        Map<String, Supplier<CommandSpec>> all = new LinkedHashMap<>();
        all.put("plan", () -> new PlanCommand(console).spec());
        all.put("check", () -> new CheckCommand(console).spec());
        all.put("queues", () -> new QueuesCommand(console).spec());
        all.put("quote", () -> new QuoteCommand(console, RemoteOptions::find).spec());
        all.put("queue", () -> new QueueCommand(console, RemoteOptions::find).spec());
        all.put("nodes", () -> new NodesCommand(console, RemoteOptions::find).spec());
        all.put("why", () -> new WhyCommand(console, RemoteOptions::find).spec());
        all.put("diag", () -> new DiagCommand(console, RemoteOptions::find).spec());
        all.put("board", () -> new BoardCommand(console, RemoteOptions::find).spec());
        all.put("reserve", () -> new ReserveCommand(console).spec());
        all.put("cancel", () -> new CancelCommand(console).spec());
        all.put(POLICY, () -> policy(behind(args)));
        all.put(STUDY, () -> study(behind(args)));
        all.put("demo", () -> new DemoCommand(console, server).spec());
        all.put("serve", () -> new ServeCommand(console, server).spec());
        all.put("extender-keys", () -> hidden(new ExtenderKeysCommand(console).spec()));
        all.put("ungate", () -> hidden(new UngateCommand(console).spec()));
        all.put(COMPLETION, () -> new CompletionCommand(console).spec());
        all.put(COMPLETE, () -> new WordsCommand(console, RemoteOptions::find).spec());
        all.put("version", versions::spec);
        add(program, all, args);
        program.usageMessage().sectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, _ -> "");
        program.usageMessage().sectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Commands::inGroups);
    }

    private static List<String> behind(List<String> args) {
        return args.isEmpty() ? args : args.subList(1, args.size());
    }

    private CommandSpec policy(List<String> args) {
        PolicyCommand command = new PolicyCommand(console);
        Map<String, Supplier<CommandSpec>> all = new LinkedHashMap<>();
        all.put("show", command::show);
        all.put("diff", command::diff);
        all.put("explain", command::explain);
        CommandSpec policy = showingHelp(POLICY, "Show, compare and explain policies.");
        add(policy, all, args);
        policy.usageMessage()
                .synopsisSubcommandLabel("COMMAND")
                .footer("", "Examples:", "  slotwise policy show policy.yaml", "  slotwise policy explain queue.order");
        return policy;
    }

    private CommandSpec study(List<String> args) {
        Function<LogFolder, Experiments> experiments = logs -> new Experiments(System::nanoTime, logs);
        Map<String, Supplier<CommandSpec>> all = new LinkedHashMap<>();
        all.put("simulate", () -> new SimulateCommand(console).spec());
        all.put("experiment", () -> new ExperimentCommand(console, experiments).spec());
        all.put("frontier", () -> new FrontierCommand(console).spec());
        all.put("price", () -> new PriceCommand(console).spec());
        all.put("convert", () -> new ConvertCommand(console).spec());
        all.put("merge", () -> new MergeCommand(console, experiments.apply(LogFolder.NONE)).spec());
        CommandSpec study = showingHelp(STUDY, "Try policies on workloads in virtual time, and repeat experiments.");
        add(study, all, args);
        study.usageMessage()
                .synopsisSubcommandLabel("COMMAND")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise study simulate jobs.swf.gz --processors 128",
                        "  slotwise study experiment methods");
        return study;
    }

    CommandSpec showingHelp(String name, String header) {
        CommandSpec[] spec = new CommandSpec[1];
        Runnable help = () -> spec[0].commandLine().usage(console.out());
        spec[0] = CommonOptions.command(name, help, header);
        return spec[0];
    }

    private static CommandSpec hidden(CommandSpec command) {
        command.usageMessage().hidden(true);
        return command;
    }

    private static String inGroups(Help help) {
        return GROUPS.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + System.lineSeparator()
                        + help.commandList(entry.getValue().stream()
                                .filter(help.subcommands()::containsKey)
                                .collect(Collectors.toMap(
                                        name -> name, help.subcommands()::get, (one, _) -> one, LinkedHashMap::new))))
                .collect(Collectors.joining());
    }

    /** The examples in a command's help. A long one continues in the next line, as in a shell. */
    private static final class UnbrokenExamples {
        private static final String INDENT = "  ";
        private static final String FURTHER = "      ";
        private static final String GOES_ON = " \\";

        private UnbrokenExamples() {}

        static CommandSpec in(CommandSpec command, int width) {
            command.usageMessage()
                    .footer(Arrays.stream(command.usageMessage().footer())
                            .flatMap(line -> line.startsWith(INDENT) && !line.startsWith(FURTHER)
                                    ? folded(line, width)
                                    : Stream.of(line))
                            .toArray(String[]::new));
            command.subcommands().values().forEach(sub -> in(sub.getCommandSpec(), width));
            return command;
        }

        private static Stream<String> folded(String example, int width) {
            List<String> lines = new ArrayList<>();
            StringBuilder line = new StringBuilder(INDENT);
            String gap = "";
            for (String word : example.strip().split(" ", -1)) {
                if (!gap.isEmpty() && line.length() + gap.length() + word.length() + GOES_ON.length() >= width) {
                    lines.add(line + GOES_ON);
                    line = new StringBuilder(FURTHER);
                    gap = "";
                }
                line.append(gap).append(word);
                gap = " ";
            }
            lines.add(line.toString());
            return lines.stream();
        }
    }
}
