package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Proves that the program behind {@code ./slotwise demo --kubernetes} works. */
class KubernetesDemoIT {
    private static final Pattern KUBECONFIG = Pattern.compile("(?m)^kubectl: +export KUBECONFIG=(\\S+)$");

    @Test
    void theKubeconfigThatItPrintsLeadsToItsCluster() throws IOException {
        Path log = ProjectFiles.logs("KubernetesDemoIT").resolve("demo.log");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dslotwise.root=" + ProjectFiles.root(),
                "-Dslotwise.it.bin=" + ProjectFiles.programs(),
                "-cp",
                System.getProperty("java.class.path"),
                KubernetesDemo.class.getName());

        try (RunningProgram demo = RunningProgram.start("demo --kubernetes", command, Map.of(), log)) {
            await("the kubeconfig is printed").atMost(Duration.ofMinutes(4)).until(() -> {
                demo.requireRunning();
                return KUBECONFIG.matcher(Files.readString(log)).find();
            });
            Matcher printed = KUBECONFIG.matcher(Files.readString(log));
            assertThat(printed.find()).isTrue();

            try (KubernetesClient client = new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(Path.of(printed.group(1)).toFile()))
                    .build()) {
                assertThat(client.nodes().list().getItems()).hasSize(30);
            }
        }

        assertThat(Files.readString(log)).contains("Ending the control plane");
    }
}
