package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.RunRecord.Version;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the versions of a gang whose starts are durable with the bindings of its first pod. */
class RunRecordTest {
    private static final String POD =
            "{\"metadata\":{\"name\":\"g-0\"},\"spec\":{},\"status\":{\"phase\":\"Pending\"}}";

    @TempDir
    private Path folder;

    private final List<String> lines = new ArrayList<>();
    private int number;

    @Test
    void aBindingOfTheFirstPodBelongsToItsOwnStartOnly() throws IOException {
        entry("create pods/", "00", "00", "{}", POD);
        written("Promised", 0, 0, "01");
        starts(0, 0, "02", "03");
        written("Pending", 1, 0, "04");
        starts(1, 0, "05", "06");

        RunRecord run = run();

        assertThat(run.reservations())
                .extracting(Version::phase)
                .containsExactly("Promised", "Running", "Pending", "Running");
        assertThat(run.pods())
                .singleElement()
                .satisfies(pod -> assertThat(pod.binding())
                        .isNotNull()
                        .satisfies(binding -> assertThat(binding.received())
                                .isEqualTo(run.reservations().getLast().at())));
    }

    @Test
    void aStartIsEndedByARollbackAndByAMoveAndByNoOtherWrite() throws IOException {
        entry("create pods/", "00", "00", "{}", POD);
        starts(0, 0, "02", "03");
        written("Pending", 0, 0, "04");
        written("Pending", 0, 1, "05");
        starts(0, 1, "06", "07");
        written("Promised", 1, 1, "08");

        assertThat(run().reservations())
                .extracting(Version::phase)
                .containsExactly("Running", "Running", "Pending", "Running", "Promised");
    }

    @Test
    void aReleasedGangThatStartsWhileItsRecordIsWrittenHasNotLeftItsStart() throws IOException {
        entry("create pods/", "00", "00", "{}", POD);
        starts(0, 0, "02", "04");
        written("Starting", 0, 0, "03");
        written("Running", 0, 0, "05");

        assertThat(run().reservations()).extracting(Version::phase).containsExactly("Running", "Running", "Running");
    }

    @Test
    void aStartWhoseRecordIsNotWrittenIsLostWithItsPod() throws IOException {
        entry("create pods/", "00", "00", "{}", POD);
        starts(0, 0, "02", "03");
        entry("delete pods/", "04", "04", "{}", POD);
        entry("create pods/", "05", "05", "{}", POD);
        starts(0, 0, "06", "07");
        entry("delete pods/", "08", "08", "{}", POD);
        written("Promised", 0, 0, "09");

        List<Version> versions = run().reservations();

        assertThat(versions)
                .extracting(Version::phase)
                .containsExactly("Running", "Pending", "Running", "Pending", "Promised");
        assertThat(versions)
                .extracting(version -> version.at().toString().substring(17, 19))
                .containsExactly("02", "04", "06", "08", "09");
    }

    @Test
    void aStartIsNotLostWithItsPodWhileItsRecordIsWrittenInTwoSteps() throws IOException {
        entry("create pods/", "00", "00", "{}", POD);
        starts(0, 0, "02", "03");
        entry("delete pods/", "04", "04", "{}", POD);
        written("Pending", 0, 0, "05");
        written("Running", 0, 0, "06");

        assertThat(run().reservations()).extracting(Version::phase).containsExactly("Running", "Running", "Running");
    }

    private RunRecord run() throws IOException {
        Path file = folder.resolve("audit.jsonl");
        Files.write(file, lines);
        return RunRecord.of(new AuditLog(file), "ns");
    }

    private void written(String phase, int attempts, int moves, String second) {
        entry("update reservations/status", second, second, "{}", record(phase, attempts, moves));
    }

    private void starts(int attempts, int moves, String received, String answered) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(record("Running", attempts, moves).getBytes(StandardCharsets.UTF_8));
        }
        String body = "{\"metadata\":{\"annotations\":{\"slotwise.io/record\":\"%s\"}},\"target\":{\"name\":\"n1\"}}"
                .formatted(Base64.getEncoder().encodeToString(bytes.toByteArray()));
        entry("create pods/binding", received, answered, body, "{}");
    }

    private String record(String phase, int attempts, int moves) {
        String start = phase.equals("Promised") ? "2030-01-01T11:00:00Z" : "2030-01-01T10:00:00Z";
        return "{\"metadata\":{\"name\":\"g\",\"resourceVersion\":\"%d\"},\"spec\":{\"window\":{\"start\":\"%s\"}},"
                        .formatted(++number, start)
                + "\"status\":{\"phase\":\"%s\",\"attempts\":%d,\"past\":{\"moves\":%d}}}"
                        .formatted(phase, attempts, moves);
    }

    private void entry(String call, String received, String answered, String body, String response) {
        String verb = call.substring(0, call.indexOf(' '));
        String resource = call.substring(verb.length() + 1, call.indexOf('/'));
        String subresource = call.substring(call.indexOf('/') + 1);
        String name = resource.equals("pods") ? "g-0" : "g";
        lines.add(("{\"verb\":\"%s\",\"user\":{\"username\":\"u\"},"
                        + "\"requestReceivedTimestamp\":\"2030-01-01T10:00:%sZ\","
                        + "\"stageTimestamp\":\"2030-01-01T10:00:%sZ\","
                        + "\"objectRef\":{\"resource\":\"%s\",\"subresource\":\"%s\","
                        + "\"namespace\":\"ns\",\"name\":\"%s\"},"
                        + "\"responseStatus\":{\"code\":200},\"requestObject\":%s,\"responseObject\":%s}")
                .formatted(verb, received, answered, resource, subresource, name, body, response));
    }
}
