package io.slotwise.kubernetes;

import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of intake for objects without anything that is bounded: devices, calendars, volumes or rules between pods.
 * The bounds on those must not cost these objects time.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 8, time = 3)
@Measurement(iterations = 8, time = 3)
@Fork(2)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
public class IntakeBenchmark {
    private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();

    @Param("10000")
    int nodes;

    @Param("5000")
    int pods;

    /** The entries of the ledger of one namespace with a budget. */
    @Param({"0", "1000"})
    int ledgerEntries;

    private ClusterObjects objects;

    @Setup
    public void objects() {
        String text = IntStream.range(0, nodes).mapToObj(IntakeBenchmark::node).collect(Collectors.joining())
                + IntStream.range(0, pods).mapToObj(IntakeBenchmark::pod).collect(Collectors.joining())
                + ledger();
        objects = ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "objects.json");
    }

    private static String node(int number) {
        return """
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d", "labels": {"slotwise.io/price": "%d"}},
                 "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110"}}}
                """.formatted(number, 1 + number % 5);
    }

    private static String pod(int number) {
        return """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p%d", "namespace": "paid", "uid": "u%d",
                  "labels": {"slotwise.io/gang": "g%d"},
                  "annotations": {"slotwise.io/gang-size": "5", "slotwise.io/runtime": "1h"}},
                 "spec": {"schedulerName": "slotwise",
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "2", "memory": "4Gi"}}}]}}
                """.formatted(number, number, number / 5);
    }

    private String ledger() {
        String entries = IntStream.range(0, ledgerEntries)
                .mapToObj(i -> """
                        {"uid": "e%d", "gang": "old%d", "start": "2029-12-31T22:00:00Z", "end": "2030-01-01T02:00:00Z",
                         "exactPromised": 1000000, "exactOverrun": 0}""".formatted(i, i))
                .collect(Collectors.joining(", "));
        return """
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "paid",
                 "annotations": {"slotwise.io/budget": "1000000/month"}}}
                {"apiVersion": "slotwise.io/v1alpha1", "kind": "Ledger", "metadata": {"name": "slotwise",
                 "namespace": "paid"}, "spec": {"periods": [], "days": [], "entries": [%s]}}
                """.formatted(entries);
    }

    @Benchmark
    public IntakeResult intake() {
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY).take(objects, Map.of(), NOW);
    }
}
