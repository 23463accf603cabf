package io.slotwise.chart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The chart in {@code helm/slotwise}, as Helm reads it. Release and namespace are both {@code slotwise}. */
final class Chart {
    static final Path FOLDER = Path.of("helm/slotwise");

    private static final String RELEASE = "slotwise";
    private static final String KUBERNETES = "1.37.0";
    private static final Pattern SEPARATOR = Pattern.compile("^---\n", Pattern.MULTILINE);
    private static final YAMLMapper YAML = new YAMLMapper();

    /** A copy of the chart in which {@code helm template} also shows hooks and notes, as ordinary objects. */
    private static final Path OPENED = opened();

    private Chart() {}

    static Rendered rendered() {
        return rendered("{}");
    }

    /**
     * Renders the chart, with hooks as ordinary objects.
     *
     * @param values YAML in addition to the defaults
     */
    static Rendered rendered(String values) {
        return new Rendered(text(OPENED, values, KUBERNETES));
    }

    static Rendered renderedOn(String kubernetes) {
        return new Rendered(text(OPENED, "{}", kubernetes));
    }

    static Rendered renderedIn(Path folder) {
        return new Rendered(text(folder, "{}", KUBERNETES));
    }

    static Rendered renderedWithoutHooks() {
        return new Rendered(text(FOLDER, "{}", KUBERNETES));
    }

    /** The output of {@code helm template}. An {@link IllegalStateException} has Helm's error. */
    static String text(String values, String kubernetes) {
        return text(FOLDER, values, kubernetes);
    }

    /** The notes of Helm after an installation. */
    static String notes(String values) {
        return rendered(values).one("Notes", RELEASE).path("text").asText();
    }

    private static String text(Path folder, String values, String kubernetes) {
        return withValues(values, file -> {
            TemplateCommand command = new Helm(folder).template();
            return command.withName(RELEASE)
                    .withNamespace(RELEASE)
                    .withKubeVersion(kubernetes)
                    .withValuesFile(file)
                    .call();
        });
    }

    static JsonNode values() {
        return yaml(read(FOLDER.resolve("values.yaml")));
    }

    static JsonNode schema() {
        try {
            return new ObjectMapper().readTree(read(FOLDER.resolve("values.schema.json")));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path opened() {
        try {
            Path copy = Files.createTempDirectory("slotwise-chart");
            copy.toFile().deleteOnExit();
            List<Path> originals;
            try (Stream<Path> walk = Files.walk(FOLDER)) {
                originals = walk.skip(1).toList();
            }
            for (Path original : originals) {
                Path here = copy.resolve(FOLDER.relativize(original).toString());
                here.toFile().deleteOnExit();
                if (Files.isDirectory(original)) {
                    Files.createDirectory(here);
                } else {
                    Files.writeString(here, read(original).replace("helm.sh/hook\"", "hook\""));
                }
            }
            Path notes = copy.resolve("templates/NOTES.txt");
            Path object = copy.resolve("templates/notes.yaml");
            object.toFile().deleteOnExit();
            Files.writeString(
                    object,
                    "{{- define \"notes\" }}" + read(notes) + "{{- end }}\n"
                            + "kind: Notes\nmetadata: {name: {{ include \"slotwise.fullname\" . }}}\n"
                            + "text: {{ include \"notes\" . | quote }}\n");
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Use {
        String of(Path valuesFile);
    }

    private static String withValues(String values, Use use) {
        try {
            Path file = Files.createTempFile("slotwise-values", ".yaml");
            try {
                return use.of(Files.writeString(file, values));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Rendered objects.
     *
     * @param text as Helm wrote it
     */
    record Rendered(String text) {

        /** The documents as text, each with the comment that names its template. */
        List<String> documents() {
            return SEPARATOR
                    .splitAsStream(text)
                    .filter(document -> !yaml(document).isEmpty())
                    .map(document -> document.strip() + "\n")
                    .toList();
        }

        List<JsonNode> objects() {
            return documents().stream().map(Chart::yaml).toList();
        }

        List<JsonNode> all(String kind) {
            return objects().stream()
                    .filter(object -> object.path("kind").asText().equals(kind))
                    .toList();
        }

        JsonNode one(String kind, String name) {
            return all(kind).stream()
                    .filter(object -> object.at("/metadata/name").asText().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("The chart renders no " + kind + " " + name + "."));
        }

        JsonNode pod() {
            return one("Deployment", RELEASE).at("/spec/template");
        }

        JsonNode container(String name) {
            for (JsonNode container : pod().at("/spec/containers")) {
                if (container.path("name").asText().equals(name)) {
                    return container;
                }
            }
            throw new AssertionError("The Deployment has no container " + name + ".");
        }

        JsonNode schedulerConfiguration() {
            return yaml(schedulerConfigurationText());
        }

        String schedulerConfigurationText() {
            return one("ConfigMap", "slotwise-kube-scheduler")
                    .at("/data/config.yaml")
                    .asText();
        }
    }
}
