package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import org.junit.jupiter.api.Test;

class ChartLintTest {

    @Test
    void strictLintIsClean() {
        LintResult result = new Helm(Chart.FOLDER).lint().strict().call();

        assertThat(result.isFailed())
                .as(String.join("\n", result.getMessages()))
                .isFalse();
        assertThat(result.getMessages()).noneMatch(message -> message.contains("[WARNING]"));
    }
}
