package io.slotwise.cli.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.config.InvalidInput;
import io.slotwise.config.PolicyFile;
import io.slotwise.config.PolicyKey;
import io.slotwise.config.Preset;
import io.slotwise.core.text.Suggestion;
import io.slotwise.report.Terminal;
import io.slotwise.report.TextTable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Shows policies: the values with their origins, the differences of two policies, and the meaning of keys. */
public record PolicyCommand(CommandConsole console) {
    private static final String PROPERTY = "slotwise.policy.";
    private static final String POLICIES = "POLICY is a policy file, or a preset: %s."
            .formatted(Arrays.stream(Preset.values()).map(Preset::key).collect(Collectors.joining(", ")));

    private enum Format {
        TABLE,
        JSON,
        YAML
    }

    private record Answer(String text, Object document) {}

    private record Words(String arity, String label, String description) {}

    public CommandSpec show() {
        return command(
                "show",
                "Show every value of a policy, and where it comes from.",
                new Words(
                        "0..1",
                        "POLICY",
                        POLICIES + " Default: the default. Java properties " + PROPERTY + "KEY lie on top."),
                words -> show(read(words.isEmpty() ? Preset.DEFAULT.key() : words.getFirst())
                        .overlay(properties(System.getProperties()))),
                "  slotwise policy show policy.yaml",
                "  slotwise policy show value -o yaml > policy.yaml");
    }

    public CommandSpec diff() {
        return command(
                "diff",
                "Show in which values two policies differ.",
                new Words("2", "POLICY", POLICIES),
                words -> diff(words.getFirst(), words.getLast()),
                "  slotwise policy diff default policy.yaml");
    }

    public CommandSpec explain() {
        return command(
                "explain",
                "Say what a key of the policy means, what it takes and what its default is.",
                new Words("1", "KEY", "A key such as queue.order, or a group such as queue."),
                words -> explain(words.getFirst()),
                "  slotwise policy explain promises.slack");
    }

    private CommandSpec command(
            String name, String header, Words takenWords, Function<List<String>, Answer> answer, String... examples) {
        CommandSpec[] spec = new CommandSpec[1];
        Runnable run = () -> print(spec[0], answer);
        spec[0] = CommonOptions.command(name, run, header)
                .addPositional(CommonOptions.words(takenWords.arity)
                        .paramLabel(takenWords.label)
                        .description(takenWords.description)
                        .build())
                .addOption(
                        CommonOptions.output(Format.class, List.of(Format.values()), "table (default), json or yaml."));
        spec[0].usageMessage()
                .footer(Stream.concat(Stream.of("", "Examples:"), Arrays.stream(examples))
                        .toArray(String[]::new));
        return spec[0];
    }

    private void print(CommandSpec spec, Function<List<String>, Answer> ask) {
        List<?> words = Objects.requireNonNullElse(
                spec.positionalParameters().getFirst().getValue(), List.of());
        Answer answer = ask.apply(words.stream().map(String::valueOf).toList());
        Format format = CommonOptions.output(spec, Format.TABLE);
        console.out().print(format == Format.TABLE ? answer.text() : text(answer, format));
    }

    private static String text(Answer answer, Format format) {
        ObjectWriter writer = format == Format.YAML
                ? YAMLMapper.builder()
                        .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                        .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                        .build()
                        .writer()
                : new ObjectMapper().writerWithDefaultPrettyPrinter();
        try {
            return writer.writeValueAsString(answer.document()).stripTrailing() + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PolicyFile read(String name) {
        List<String> presets = Arrays.stream(Preset.values()).map(Preset::key).toList();
        if (presets.contains(name)) {
            return Preset.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'))
                    .policy();
        }
        if (!Files.exists(Path.of(name))) {
            throw new InvalidInput("%s: no such file or preset: expected a policy file, or one of %s"
                    .formatted(name, String.join(", ", presets)));
        }
        return PolicyFile.load(Path.of(name));
    }

    private static Map<String, String> properties(Properties properties) {
        return properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith(PROPERTY))
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }

    private Answer show(PolicyFile policy) {
        policy.settings();
        Map<String, Object> document = new LinkedHashMap<>();
        policy.stated().forEach(value -> put(document, value.path(), value.content()));
        String table = new TextTable<PolicyFile.Stated>()
                .name("KEY", PolicyFile.Stated::key)
                .left("VALUE", PolicyFile.Stated::text)
                .left("FROM", PolicyFile.Stated::place)
                .draw(policy.stated(), console.terminal());
        return new Answer(table, document);
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> document, List<String> path, Object value) {
        Map<String, Object> mapping = document;
        for (String name : path.subList(0, path.size() - 1)) {
            mapping = (Map<String, Object>) mapping.computeIfAbsent(name, _ -> new LinkedHashMap<String, Object>());
        }
        mapping.put(path.getLast(), value);
    }

    private Answer diff(String before, String after) {
        PolicyFile left = read(before);
        PolicyFile right = read(after);
        left.settings();
        right.settings();
        Map<String, Object> document = new LinkedHashMap<>();
        List<PolicyFile.Change> changes = right.changesFrom(left);
        changes.forEach(change -> document.put(change.key(), List.of(change.before(), change.after())));
        String table = new TextTable<PolicyFile.Change>()
                .name("KEY", PolicyFile.Change::key)
                .left(before, PolicyFile.Change::before)
                .left(after, PolicyFile.Change::after)
                .draw(changes, console.terminal());
        return new Answer(table, document);
    }

    private Answer explain(String asked) {
        List<PolicyKey> found = PolicyKey.all().stream()
                .filter(key -> key.path().equals(asked)
                        || key.group().equals(asked)
                        || key.parts().containsKey(asked))
                .toList();
        if (found.isEmpty()) {
            List<String> known = PolicyKey.all().stream().map(PolicyKey::path).toList();
            throw new InvalidInput("%s: no key of the policy: expected one of %s%s"
                    .formatted(
                            asked,
                            String.join(", ", known),
                            Suggestion.nearestKey(asked, known)
                                    .map("; did you mean %s?"::formatted)
                                    .orElse("")));
        }
        StringBuilder text = new StringBuilder();
        Map<String, Object> document = new LinkedHashMap<>();
        for (PolicyKey key : found) {
            Map<String, String> accepted = new LinkedHashMap<>();
            key.parts().forEach((path, takes) -> accepted.put(path, takes.words()));
            Terminal terminal = console.terminal();
            text.append(terminal.paragraph("%s (default: %s)".formatted(key.path(), key.usual())));
            accepted.forEach((path, words) -> text.append(terminal.paragraph(
                    path.equals(key.path())
                            ? "  takes " + words
                            : "  %s: %s".formatted(path.substring(key.path().length() + 1), words))));
            text.append(terminal.paragraph("  " + key.meaning()));
            Map<String, Object> described = new LinkedHashMap<>();
            described.put("default", key.usual());
            described.put("accepted", accepted);
            described.put("meaning", key.meaning());
            document.put(key.path(), described);
        }
        return new Answer(text.toString(), document);
    }
}
