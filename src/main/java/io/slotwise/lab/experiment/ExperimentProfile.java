package io.slotwise.lab.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The description of an experiment.
 *
 * @param readings choices that the paper leaves open, a sentence each
 * @param warmUps uncounted replications at the beginning; more than 0 if a clock measures, and then all replications
 *     run on one thread
 * @param numbers the paper's numbers by row; null elements if the paper gives none
 * @param second the differences of the second reading, a sentence each; empty if there is none
 */
public record ExperimentProfile(
        String name,
        String title,
        PaperSource source,
        List<String> readings,
        int runs,
        int warmUps,
        Map<String, List<@Nullable Double>> numbers,
        List<String> second) {
    private static final String FILE = "experiments.yaml";
    private static final JsonNode CATALOGUE = read();

    public ExperimentProfile {
        readings = List.copyOf(readings);
        numbers = Collections.unmodifiableMap(numbers);
        second = List.copyOf(second);
    }

    private static JsonNode read() {
        try (InputStream text = Objects.requireNonNull(ExperimentProfile.class.getResourceAsStream(FILE), FILE)) {
            return new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the experiment of this name in {@value #FILE}. The readings of its paper come before its own. */
    public static ExperimentProfile named(String name) {
        JsonNode one = CATALOGUE.required("experiments").required(name);
        JsonNode paper =
                CATALOGUE.required("papers").required(one.required("paper").textValue());
        return new ExperimentProfile(
                name,
                one.required("title").textValue(),
                new PaperSource(
                        paper.required("authors").textValue(),
                        paper.required("title").textValue(),
                        paper.required("year").intValue(),
                        one.required("place").textValue()),
                Stream.concat(sentences(paper.path("readings")), sentences(one.path("readings")))
                        .toList(),
                one.required("runs").intValue(),
                one.path("warmUps").intValue(),
                numbers(paper.has("numbers") ? paper.path("numbers") : one.path("numbers")),
                sentences(one.path("second")).toList());
    }

    private static Map<String, List<@Nullable Double>> numbers(JsonNode rows) {
        Map<String, List<@Nullable Double>> numbers = new LinkedHashMap<>();
        rows.forEachEntry((name, row) -> numbers.put(
                name,
                row.valueStream()
                        .<@Nullable Double>map(number -> number.isNull() ? null : number.doubleValue())
                        .toList()));
        return numbers;
    }

    /** Returns the paper's numbers of a row, or null. */
    public @Nullable List<@Nullable Double> row(String name) {
        return numbers.get(name);
    }

    private static Stream<String> sentences(JsonNode list) {
        return list.valueStream().map(JsonNode::textValue);
    }

    /** Returns whether a clock measures. */
    public boolean timed() {
        return warmUps > 0;
    }

    /** A place in a paper. */
    public record PaperSource(String authors, String title, int year, String place) {
        @Override
        public String toString() {
            return "%s, \"%s\" (%d), %s".formatted(authors, title, year, place);
        }
    }
}
