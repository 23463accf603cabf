package io.slotwise.lab.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What an experiment is.
 *
 * @param readings what was chosen where the paper's text leaves room, a sentence each
 * @param warmUps replications that are run before and not counted; more than 0 where a clock measures, and then all
 *     replications run on one thread
 * @param second what is read differently in the second column, a sentence each; empty: there is no second column
 */
public record ExperimentProfile(
        String name,
        String title,
        PaperSource source,
        List<String> readings,
        int runs,
        int warmUps,
        List<String> second) {
    private static final String FILE = "experiments.yaml";
    private static final JsonNode CATALOGUE = read();

    public ExperimentProfile {
        readings = List.copyOf(readings);
        second = List.copyOf(second);
    }

    private static JsonNode read() {
        try (InputStream text = Objects.requireNonNull(ExperimentProfile.class.getResourceAsStream(FILE), FILE)) {
            return new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The experiment of this name in {@value #FILE}; the readings of its paper come before its own. */
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
                sentences(one.path("second")).toList());
    }

    private static Stream<String> sentences(JsonNode list) {
        return list.valueStream().map(JsonNode::textValue);
    }

    /** Whether a clock measures in it. */
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
