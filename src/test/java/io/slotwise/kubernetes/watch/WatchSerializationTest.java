package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchSerializationTest {
    private static final String MANAGED = """
            ,"managedFields":[{"manager":"kwok","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1",\
            "fieldsV1":{"f:spec":{"f:containers":{"k:{\\"name\\":\\"main\\"}":{".":{},"f:image":{}}}},"f:status":{}}}]""";
    private static final String SPEC = """
            {"containers":[{"name":"main","image":"none","resources":{"requests":{"cpu":"2"}}}],\
            "schedulerName":"slotwise"}""";
    private static final String PENDING = "{\"phase\":\"Pending\"}";
    private static final String RUNNING = """
            {"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}""";

    private final KubernetesSerialization usual = usual();
    private KubernetesSerialization serialization = usual;

    @BeforeEach
    void customize() {
        ObjectMapper mapper = new ObjectMapper();
        new StreamedWatches().customize(mapper);
        serialization = new WatchSerialization(mapper);
    }

    private static KubernetesSerialization usual() {
        ObjectMapper mapper = new ObjectMapper();
        new StreamedWatches().customize(mapper);
        return new KubernetesSerialization(mapper, false);
    }

    @Test
    void readsPodsAsTheClientDoesWhetherTheirSpecIsKnownOrNot() {
        for (String event : new String[] {
            event("ADDED", meta("a", 1, MANAGED), SPEC, PENDING),
            event("MODIFIED", meta("a", 2, MANAGED), SPEC, RUNNING),
            event("MODIFIED", meta("a", 3, ""), SPEC, RUNNING),
            event("DELETED", meta("b", 4, MANAGED), SPEC.replace("main", "other"), RUNNING)
        }) {
            assertThat(read(serialization, event)).isEqualTo(read(usual, event));
        }
    }

    @Test
    void podsWithTheSameSpecShareIt() {
        PodSpec first = spec(event("ADDED", meta("a", 1, MANAGED), SPEC, PENDING));

        assertThat(spec(event("MODIFIED", meta("a", 2, MANAGED), SPEC, RUNNING)))
                .isSameAs(first);
        assertThat(spec(event("ADDED", meta("b", 3, ""), SPEC, PENDING))).isSameAs(first);
    }

    @Test
    void aSpecThatDiffersInOneWordIsAnotherOne() {
        PodSpec first = spec(event("ADDED", meta("a", 1, MANAGED), SPEC, PENDING));
        PodSpec bound = spec(event(
                "MODIFIED",
                meta("a", 2, MANAGED),
                SPEC.replace("\"schedulerName\"", "\"nodeName\":\"n\",\"schedulerName\""),
                PENDING));

        assertThat(first.getNodeName()).isNull();
        assertThat(bound.getNodeName()).isEqualTo("n");
    }

    @Test
    void textsThatLookLikeBordersAreTexts() {
        String annotated = """
                "annotations":{"a":"{\\"x\\":{},\\"spec\\":{\\"y\\":1},\\"status\\":{}}"},""";
        String event = event("ADDED", annotated + meta("a", 1, MANAGED), SPEC, PENDING);

        assertThat(read(serialization, event)).isEqualTo(read(usual, event));
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
                {"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n"},"status":{}}}""", """
                {"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"nodeName":"n"}}}""", """
                {"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"managedFields":[],"name":"p"},"spec":{},"status":{}}}""", """
                {"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"status":{},"spec":{"nodeName":"n"}}}""", """
                {"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"9","creationTimestamp":null},"spec":{"containers":null},"status":{}}}""", """
                {"type":"ADDED","object":{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"p"},"spec":{"parallelism":1},"status":{}}}"""})
    void otherKindsAreReadAsByTheClient(String event) {
        assertThat(read(serialization, event)).isEqualTo(read(usual, event));
        assertThat(read(serialization, event)).isEqualTo(read(usual, event));
    }

    @Test
    void anErrorIsAStatus() {
        serialization.registerKubernetesResource(Status.class);

        assertThat(read(
                        serialization,
                        "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410}}"))
                .isInstanceOf(Status.class);
    }

    private PodSpec spec(String event) {
        return ((Pod) Objects.requireNonNull(read(serialization, event))).getSpec();
    }

    private static String meta(String name, int version, String managed) {
        return "\"name\":\"%s\",\"resourceVersion\":\"%d\",\"labels\":{\"a\":\"b\"}%s"
                .formatted(name, version, managed);
    }

    private static String event(String type, String meta, String spec, String status) {
        return """
                {"type":"%s","object":{"kind":"Pod","apiVersion":"v1","metadata":{%s},"spec":%s,"status":%s}}
                """.formatted(type, meta, spec, status);
    }

    private static Object read(KubernetesSerialization serialization, String event) {
        return serialization.unmarshal(event, WatchEvent.class).getObject();
    }
}
