package io.slotwise.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The examples of a command's help so that they can be copied: one that is too long for a line goes on in the next one,
 * as a shell reads it. Picocli alone breaks lines at hyphens and slashes, too.
 */
final class UnbrokenExamples {
    private static final String INDENT = "  ";
    private static final String FURTHER = "      ";
    private static final String GOES_ON = " \\";

    private UnbrokenExamples() {}

    /** The command with its examples in lines of this width. */
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
