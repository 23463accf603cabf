package io.slotwise.cli;

import java.util.List;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/** Completion of commands and options for a shell. */
final class CompletionCommand implements Runnable {
    private static final List<String> SHELLS = List.of("bash", "zsh");

    private final Session session;
    private final CommandSpec spec;
    private final PositionalParamSpec shell = PositionalParamSpec.builder()
            .type(String.class)
            .index("0")
            .required(true)
            .paramLabel("bash|zsh")
            .completionCandidates(SHELLS)
            .description("The shell.")
            .build();

    CompletionCommand(Session session) {
        this.session = session;
        this.spec = Options.command(
                        "completion", this, "Print the script that completes commands and options in a shell.")
                .addPositional(shell);
        spec.usageMessage()
                .footer(
                        "",
                        "Examples:",
                        "  source <(slotwise completion bash)",
                        "  slotwise completion zsh > ~/.slotwise-completion && echo 'source ~/.slotwise-completion' >> ~/.zshrc");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        String name = Objects.requireNonNull(shell.getValue(), "shell");
        if (!SHELLS.contains(name)) {
            throw new ParameterException(
                    spec.commandLine(), "'%s' is no shell that is known; expected bash or zsh".formatted(name));
        }
        // One script for both: in a zsh it loads that shell's bash completion first.
        session.out().print(AutoComplete.bash("slotwise", spec.root().commandLine()));
    }
}
