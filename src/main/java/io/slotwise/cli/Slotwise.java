package io.slotwise.cli;

import io.quarkus.runtime.annotations.QuarkusMain;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.cli.server.QuarkusServer;
import io.slotwise.cli.server.Server;
import io.slotwise.config.InvalidInput;
import io.slotwise.core.text.Suggestion;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import io.slotwise.lab.workload.log.MalformedWorkload;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

@QuarkusMain
public final class Slotwise {
    static final int WRONG_INPUT = 2;

    private Slotwise() {}

    /** Runs the program and exits with its status. */
    public static void main(String[] args) {
        int status = run(CommandConsole.ofProcess(), new QuarkusServer(), args);
        // Success just returns: System.exit would start logging first, only to log this call.
        if (status != 0) {
            System.exit(status);
        }
    }

    public static int run(CommandConsole console, Server server, String... args) {
        int status = commands(console, server, args).execute(args);
        console.out().flush();
        return status == 0 && console.out().checkError() ? ExitStatus.FAILED : status;
    }

    /** Returns all commands, or only the one with which {@code args} begin, because the whole model is slow. */
    public static CommandLine commands(CommandConsole console, Server server, String... args) {
        return new CommandLine(spec(console, server, args))
                .registerConverter(Integer.class, text -> number(text, Integer::valueOf))
                .registerConverter(Long.class, text -> number(text, Long::valueOf))
                .setUnmatchedOptionsAllowedAsOptionParameters(false)
                .setOut(console.out())
                .setErr(console.err())
                .setColorScheme(Help.defaultColorScheme(console.terminal().colour() ? Help.Ansi.ON : Help.Ansi.OFF))
                .setUsageHelpWidth(helpWidth(console))
                .setParameterExceptionHandler(Slotwise::wrongCommandLine)
                .setExecutionExceptionHandler((e, _, _) -> failure(e, console.err()));
    }

    private static int helpWidth(CommandConsole console) {
        return Math.max(80, console.terminal().columns());
    }

    private static <N> N number(String text, Function<String, N> read) {
        try {
            return read.apply(text);
        } catch (NumberFormatException _) {
            throw new TypeConversionException("'%s' is not a whole number in the supported range".formatted(text));
        }
    }

    private static CommandSpec spec(CommandConsole console, Server server, String... args) {
        VersionCommand versions = new VersionCommand(console);
        Commands commands = new Commands(console, helpWidth(console));
        CommandSpec spec = commands.showingHelp("slotwise", "Plans gangs of pods in time and money.")
                .addOption(OptionSpec.builder("-V", "--version")
                        .type(boolean.class)
                        .versionHelp(true)
                        .description("Show the version.")
                        .build())
                .versionProvider(versions);
        commands.addTo(spec, server, versions, List.of(args));
        spec.usageMessage()
                .synopsisSubcommandLabel("COMMAND")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise demo",
                        "  slotwise plan -f cluster.yaml -f workload.yaml",
                        "  kubectl get nodes,pods -A -o json | slotwise plan -f - -o json",
                        "  slotwise queue -A",
                        "  slotwise why research/train",
                        "  slotwise serve --policy policy.yaml",
                        "",
                        "Exit status: 0 done, 1 the work failed, 2 the command line or an input is wrong.");
        return spec;
    }

    private static int wrongCommandLine(ParameterException e, String... args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        String unknownWord = unknownWord(e, args);
        if (unknownWord == null) {
            err.println("slotwise: " + e.getMessage());
        } else {
            boolean isOption = unknownWord.startsWith("-");
            Map<String, String> known = isOption ? options(command) : commands(command, "");
            String what = isOption ? "option" : known.isEmpty() ? "word" : "command";
            err.println("slotwise: Unknown %s: '%s'".formatted(what, unknownWord));
            Suggestion.nearest(unknownWord, List.copyOf(known.keySet()))
                    .ifPresent(word -> err.println("Maybe you mean %s.".formatted(known.get(word))));
        }
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return WRONG_INPUT;
    }

    /** Returns the word that the command does not know, or null. A misspelt option often makes another one missing. */
    private static @Nullable String unknownWord(ParameterException e, String... args) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched.getUnmatched().stream()
                    .findFirst()
                    .map(Slotwise::name)
                    .orElse(null);
        }
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        return e instanceof MissingParameterException
                ? Arrays.stream(args)
                        .takeWhile(word -> !word.equals("--"))
                        .filter(word -> word.startsWith("--"))
                        .map(Slotwise::name)
                        .filter(name -> spec.findOption(name) == null)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private static String name(String word) {
        int sign = word.indexOf('=');
        return word.startsWith("-") && sign > 0 ? word.substring(0, sign) : word;
    }

    private static Map<String, String> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .collect(Collectors.toMap(
                        OptionSpec::longestName, OptionSpec::longestName, (one, _) -> one, TreeMap::new));
    }

    /** Returns the full names of the commands below a command, by last word. */
    private static Map<String, String> commands(CommandLine command, String before) {
        Map<String, String> commands = new TreeMap<>();
        command.getSubcommands().forEach((name, below) -> {
            commands.putAll(commands(below, before + name + " "));
            commands.put(name, before + name);
        });
        return commands;
    }

    private static int failure(Exception e, PrintWriter err) {
        switch (e) {
            case InvalidInput input -> err.println("slotwise: " + input.getMessage());
            case InvalidManifest manifest -> err.println("slotwise: " + manifest.getMessage());
            case MalformedWorkload workload -> err.println("slotwise: " + workload.getMessage());
            case Unreachable absentUnreachable -> {
                err.println("slotwise: " + absentUnreachable.getMessage());
                err.println("Maybe give --server URL, or check that kubectl reaches the cluster.");
                return ExitStatus.FAILED;
            }
            case UncheckedIOException io
            when io.getCause() instanceof FileSystemException file ->
                err.println("slotwise: %s: cannot be read (%s); expected a readable file"
                        .formatted(
                                file.getFile(),
                                file.getReason() == null ? file.getClass().getSimpleName() : file.getReason()));
            default -> {
                err.println("slotwise: internal error; please report it with these lines:");
                e.printStackTrace(err);
                return ExitStatus.FAILED;
            }
        }
        return WRONG_INPUT;
    }
}
