package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EpochTest {
    @Test
    void theChartsPolicyRefusesInTheWordsThatAreUnderstood() throws IOException {
        String policy = Files.readString(Path.of("helm/slotwise/templates/admission/epoch.yaml"));

        assertThat(policy).contains(Epoch.REFUSED);
    }
}
