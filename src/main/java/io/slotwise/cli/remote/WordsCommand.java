package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.report.GangListReport.GangRow;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Prints the words that can complete the last one, one per line. Shells call it during typing. */
public final class WordsCommand extends ConsoleCommand implements Runnable {
    /** Commands about one gang. */
    static final List<String> OF_GANGS = List.of("why", "quote", "cancel");

    private final Remote.Finder finder;
    private final PositionalParamSpec words = words("0..*")
            .paramLabel("WORD")
            .description("The words so far; the last one is being typed.")
            .build();

    public WordsCommand(CommandConsole console, Remote.Finder finder) {
        super(console, "__complete", "List the completions of a word.");

        this.finder = finder;
        spec.addPositional(words);
        spec.usageMessage().hidden(true);
        spec.parser().unmatchedOptionsArePositionalParams(true).stopAtPositional(true);
    }

    @Override
    public void run() {
        List<String> given = Objects.requireNonNullElse(words.getValue(), List.of());
        String typed = given.isEmpty() ? "" : given.getLast();
        candidates(given.isEmpty() ? given : given.subList(0, given.size() - 1), typed)
                .filter(word -> word.startsWith(typed))
                .sorted()
                .distinct()
                .forEach(console.out()::println);
    }

    private Stream<String> candidates(List<String> before, String typed) {
        if (before.isEmpty()) {
            return spec.root().subcommands().entrySet().stream()
                    .filter(entry ->
                            !entry.getValue().getCommandSpec().usageMessage().hidden())
                    .map(Map.Entry::getKey);
        }
        CommandLine command = spec.root().subcommands().get(before.getFirst());
        if (command == null) {
            return Stream.empty();
        }
        CommandSpec of = command.getCommandSpec();
        // A name without hyphens would be found too, such as the command's own name.
        OptionSpec last = before.getLast().startsWith("-") ? of.findOption(before.getLast()) : null;
        if (last != null && last.arity().max() > 0) {
            return values(last.completionCandidates());
        }
        if (typed.startsWith("-")) {
            return of.options().stream().filter(option -> !option.hidden()).map(OptionSpec::longestName);
        }
        return OF_GANGS.contains(before.getFirst())
                ? gangs()
                : of.positionalParameters().stream().flatMap(one -> values(one.completionCandidates()));
    }

    private static Stream<String> values(@Nullable Iterable<String> candidates) {
        return candidates == null ? Stream.empty() : StreamSupport.stream(candidates.spliterator(), false);
    }

    /** Without a Slotwise server there are no names, and no message that would disturb the shell. */
    private Stream<String> gangs() {
        try (Remote remote = finder.find(null, null)) {
            return ListedGangs.listed(remote, null).gangs().stream().map(GangRow::gang);
        } catch (Unreachable | InvalidInput e) {
            return Stream.empty();
        }
    }
}
