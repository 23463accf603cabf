package io.slotwise.cli;

import io.slotwise.report.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown document with the commands in its {@code console} blocks, each a line after {@code $} with its output
 * below. A block may have a mark: {@code cluster} needs a cluster, {@code data} needs files that are not in the
 * repository, {@code slow} takes minutes, {@code host} is for the script alone.
 *
 * @param name its file's name
 * @param lines of the file
 * @param commands in their order
 */
record Document(String name, List<String> lines, List<Command> commands) {
    private static final String FENCE = "```";
    private static final String PROMPT = "$ ";
    private static final String ANYTHING = "...";
    private static final Pattern COLUMNS = Pattern.compile("COLUMNS=(\\d+) ");
    /** A pipe between programs, outside quotes. */
    private static final Pattern PIPE = Pattern.compile("(?:\\||&&)(?=(?:[^']*'[^']*')*[^']*$)");

    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|[^\\s'])+");
    private static final Set<String> PROGRAMS = Set.of("slotwise", "./slotwise", "kubectl", "helm", "docker", "kind");

    /** The kind of check of a command. */
    enum Kind {
        /** The command prints the lines below it. */
        SHOWN,
        CLUSTER,
        DATA,
        SLOW,
        HOST
    }

    /**
     * A command.
     *
     * @param place file and line
     * @param kind the check
     * @param columns the screen's width: COLUMNS, or the default
     * @param parts the words of each program of a pipe
     * @param from the line after the command, from 0
     * @param to the line after its output
     */
    record Command(String place, Kind kind, int columns, List<List<String>> parts, int from, int to) {
        boolean isOurs() {
            return parts.stream().anyMatch(Command::isOurs);
        }

        private static boolean isOurs(List<String> words) {
            return words.getFirst().equals("slotwise") || words.getFirst().equals("./slotwise");
        }

        /** The arguments of the {@code slotwise} program. */
        String[] words() {
            return parts.stream()
                    .filter(Command::isOurs)
                    .findFirst()
                    .map(words -> words.subList(1, words.size()).toArray(String[]::new))
                    .orElseThrow();
        }

        /** Replaces the command's output in a copy of the document, without the parts that {@code ...} stands for. */
        void show(List<String> printed, List<String> document) {
            List<String> pattern = document.subList(from, to);
            List<String> shown = matches(pattern, printed) ? List.copyOf(pattern) : printed;
            pattern.clear();
            document.addAll(from, shown);
        }

        private static boolean matches(List<String> pattern, List<String> printed) {
            if (pattern.isEmpty() || printed.isEmpty()) {
                return printed.isEmpty() && pattern.stream().allMatch(ANYTHING::equals);
            }
            List<String> rest = pattern.subList(1, pattern.size());
            if (pattern.getFirst().equals(ANYTHING)) {
                for (int skipped = 0; skipped <= printed.size(); skipped++) {
                    if (matches(rest, printed.subList(skipped, printed.size()))) {
                        return true;
                    }
                }
                return false;
            }
            return pattern.getFirst().equals(printed.getFirst()) && matches(rest, printed.subList(1, printed.size()));
        }
    }

    static Document read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<Command> commands = new ArrayList<>();
        String block = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(FENCE)) {
                block = block == null ? line.substring(FENCE.length()) : null;
            } else if (block != null && block.startsWith("console") && line.startsWith(PROMPT)) {
                int from = i + 1;
                StringBuilder text = new StringBuilder(line.substring(PROMPT.length()));
                while (text.toString().endsWith("\\")) {
                    text.setLength(text.length() - 1);
                    text.append(lines.get(from++).strip());
                }
                int to = from;
                while (!lines.get(to).startsWith(FENCE) && !lines.get(to).startsWith(PROMPT)) {
                    to++;
                }
                commands.add(new Command(
                        file + ":" + (i + 1), kind(block), columns(text.toString()), parts(text.toString()), from, to));
            }
        }
        return new Document(file.getFileName().toString(), lines, commands);
    }

    private static int columns(String text) {
        Matcher setting = COLUMNS.matcher(text);
        return setting.lookingAt() ? Integer.parseInt(setting.group(1)) : Terminal.USUAL_WIDTH;
    }

    private static Kind kind(String block) {
        String mark = block.substring("console".length()).strip();
        return mark.isEmpty() ? Kind.SHOWN : Kind.valueOf(mark.toUpperCase(Locale.ROOT));
    }

    /** Programs and their words, without redirections, comments and environment variables. */
    private static List<List<String>> parts(String text) {
        List<List<String>> parts = new ArrayList<>();
        for (String part : PIPE.split(text.replaceAll("\\s#.*", ""), -1)) {
            List<String> words = new ArrayList<>();
            WORD.matcher(part.replaceAll(">\\s*\\S+", "").strip())
                    .results()
                    .map(word -> word.group().replace("'", ""))
                    .forEach(words::add);
            words.removeIf(word -> words.indexOf(word) == 0 && word.contains("="));
            parts.add(words);
        }
        return parts;
    }

    /** The lines outside {@code console} blocks that look like a command to type. */
    List<String> unmarked() {
        List<String> found = new ArrayList<>();
        String block = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(FENCE)) {
                block = block == null ? line.substring(FENCE.length()) : null;
            } else if (block != null && !block.startsWith("console") && isCommand(line)) {
                found.add("%s:%d: %s".formatted(name, i + 1, line));
            }
        }
        return found;
    }

    /** A synopsis has placeholders in capitals or brackets. */
    private static boolean isCommand(String line) {
        String text = line.startsWith(PROMPT) ? line.substring(PROMPT.length()) : line;
        return PROGRAMS.contains(text.split(" ", -1)[0]) && !text.contains("[") && !text.contains("...");
    }
}
