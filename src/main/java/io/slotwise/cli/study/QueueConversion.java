package io.slotwise.cli.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.manifest.queues.PeerQueues;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads files of other projects' queues. */
final class QueueConversion {
    private static final YAMLMapper YAML = new YAMLMapper();

    private QueueConversion() {}

    /**
     * Translates the queues of a file.
     *
     * @param file YAML or JSON; {@code -} is the standard input
     * @throws InvalidInput if the file is no YAML or JSON, or has no queue
     */
    static PeerQueues read(String file, InputStream standardInput) {
        List<JsonNode> documents = new ArrayList<>();
        try (InputStream stream = file.equals("-") ? standardInput : Files.newInputStream(Path.of(file))) {
            for (JsonNode document :
                    YAML.readerFor(JsonNode.class).<JsonNode>readValues(stream).readAll()) {
                add(document, documents);
            }
        } catch (JsonProcessingException e) {
            throw new InvalidInput("%s is no YAML or JSON (%s); expected a file of queues"
                    .formatted(file, e.getOriginalMessage().lines().findFirst().orElse("")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        PeerQueues queues = PeerQueues.of(documents);
        if (queues.queues().isEmpty()) {
            throw new InvalidInput("%s has no queue; expected queues of Kueue, Volcano or YuniKorn".formatted(file));
        }
        return queues;
    }

    /** Adds a document, the items of a list, or YuniKorn's queues in a ConfigMap, which may have other texts too. */
    private static void add(JsonNode document, List<JsonNode> documents) throws JsonProcessingException {
        if (document.path("items").isArray()) {
            for (JsonNode item : document.path("items")) {
                add(item, documents);
            }
        } else if (document.path("kind").asText().equals("ConfigMap")) {
            for (Map.Entry<String, JsonNode> entry : document.path("data").properties()) {
                if (entry.getKey().endsWith("queues.yaml")) {
                    documents.add(YAML.readTree(entry.getValue().asText()));
                }
            }
        } else if (document.isObject()) {
            documents.add(document);
        }
    }
}
