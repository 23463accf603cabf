package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.config.PolicyFile;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.demo.DemoLog;
import io.slotwise.demo.LivingDemo;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.testing.Unheard;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Proves that the demo's lines in the documents are lines of that demo. */
class DemoDocumentTest {
    private static final Instant BEGIN = Instant.parse("2030-01-15T06:00:00Z");
    private static final Duration SHOWN = Duration.ofHours(1);
    private static final String POLICY = "slotwise.policy.";

    @Test
    void documentedDemoLinesOccurInTheDemo() throws IOException {
        List<String> happened = demo();
        Files.createDirectories(Path.of("target/documents"));
        Files.write(Path.of("target/documents/demo.txt"), happened);

        List<String> shown = Files.readAllLines(Path.of("README.md")).stream()
                .filter(line -> line.startsWith("Tue 0"))
                .toList();
        assertThat(shown).hasSizeGreaterThan(3);
        assertThat(happened).containsSubsequence(shown);
    }

    private static List<String> demo() {
        Map<String, String> properties = CommandLineRun.of("demo").served();
        Map<String, String> policy = properties.entrySet().stream()
                .filter(property -> property.getKey().startsWith(POLICY))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        LivingDemo demo = new LivingDemo(
                new LivingDemo.Setting(number(properties, "slotwise.demo.nodes"), BEGIN),
                CurrentSettings.fixed(PolicyFile.empty().overlay(policy).settings()),
                new Unheard(),
                new DemoLog(
                        new PrintStream(bytes, true, StandardCharsets.UTF_8), BEGIN, () -> FirstPromise.Outcomes.NONE),
                RandomGeneratorFactory.of("L64X128MixRandom").create(number(properties, "slotwise.demo.seed")));
        while (demo.next().isBefore(BEGIN.plus(SHOWN))) {
            demo.step();
        }
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static int number(Map<String, String> properties, String key) {
        return Integer.parseInt(properties.getOrDefault(key, ""));
    }
}
