package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import java.util.List;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Prints the shell completion of commands, options and names of gangs. */
public final class CompletionCommand extends ConsoleCommand implements Runnable {
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    /** An addition to picocli's script, which knows no names of gangs: it asks for the last word of these commands. */
    private static final String GANG_NAMES = """

        # The names of gangs, of which a running Slotwise knows: only asked for where one is expected.
        function _slotwise_with_gangs() {
          local word="${COMP_WORDS[COMP_CWORD]}"
          case " COMMANDS " in
            *" ${COMP_WORDS[1]} "*)
              if [[ $COMP_CWORD -gt 1 && $word != -* && ${COMP_WORDS[COMP_CWORD-1]} != -* ]]; then
                COMPREPLY=($(compgen -W "$(slotwise __complete "${COMP_WORDS[1]}" "" 2>/dev/null)" -- "$word"))
                return 0
              fi ;;
          esac
          _complete_slotwise "$@"
        }
        complete -F _slotwise_with_gangs -o default slotwise
        """;

    /** The script for fish, which completes files by itself. */
    private static final String FISH = """
        # Completion of slotwise for fish: commands, options and names of gangs, as the program tells them.
        function __slotwise_complete
            set -l words (commandline -opc)
            slotwise __complete $words[2..-1] (commandline -ct) 2>/dev/null
        end
        complete -c slotwise -a '(__slotwise_complete)'
        """;

    private final PositionalParamSpec shell =
            word("bash|zsh|fish", "The shell.").completionCandidates(SHELLS).build();

    public CompletionCommand(CommandConsole console) {
        super(
                console,
                "completion",
                "Print the script that completes commands, options and names of gangs in a shell.");

        spec.addPositional(shell);
        help(spec, """
            source <(slotwise completion bash)
            slotwise completion zsh > ~/.slotwise-completion && echo 'source ~/.slotwise-completion' >> ~/.zshrc
            slotwise completion fish > ~/.config/fish/completions/slotwise.fish
            """);
    }

    @Override
    public void run() {
        String name = Objects.requireNonNull(shell.getValue(), "shell");
        if (!SHELLS.contains(name)) {
            throw wrong("'%s' is not a supported shell; expected bash, zsh or fish".formatted(name));
        }
        // One script for bash and zsh: in zsh it first loads that shell's bash completion.
        console.out()
                .print(
                        name.equals("fish")
                                ? FISH
                                : AutoComplete.bash("slotwise", spec.root().commandLine())
                                        + GANG_NAMES.replace("COMMANDS", String.join(" ", WordsCommand.OF_GANGS)));
    }
}
