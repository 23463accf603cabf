package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotesTest {
    private static final String QUIET = "image: {repository: example.com/slotwise}\n";

    @Test
    void theNotesSayWhatToDoNext() {
        String notes = Chart.notes(QUIET);

        assertThat(notes)
                .contains("rollout status deployment/slotwise")
                .contains("slotwise.io/price=")
                .contains("slotwise.io/gang-size: \"4\"")
                .contains("kubectl get reservations")
                .doesNotContain("Check these values");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            replicas: 0                                    | replicas (0)
            replicas: 1                                    | replicas (1)
            admission: {gate: {enabled: false}}            | admission.gate.enabled (false)
            admission: {gate: {failurePolicy: Ignore}}     | admission.gate.failurePolicy (Ignore)
            kubeScheduler: {enabled: false}                | kubeScheduler.enabled (false)
            admission: {validation: {enabled: false}}      | admission.validation.enabled (false)
            admission: {validation: {actions: [Warn]}}     | admission.validation.actions (Warn)
            admission: {records: {enabled: false}}         | admission.records.enabled (false)
            admission: {nodes: {enabled: false}}           | admission.nodes.enabled (false)
            policy: {running: {turnover: 0s}}              | policy.running.turnover (0s)
            policy: {promises: {replan: free}}             | policy.promises.replan (free)
            release: pin                                   | release (pin)
            crds: {install: false}                         | crds.install (false)
            crds: {keep: false}                            | crds.keep (false)
            uninstall: {gates: keep}                       | uninstall.gates (keep)
            auth: {mode: none}                             | auth.mode (none)
            monitoring: {serviceMonitor: {enabled: true}}  | auth.metrics (kubernetes)
            networkPolicy: {enabled: false}                | networkPolicy.enabled (false)
            service: {type: LoadBalancer}                  | service.type (LoadBalancer) without tls
            ingress: {enabled: true, hosts: [a.example.com]} | ingress.tlsSecret ()
            httpRoute: {enabled: true, parentRefs: [{name: gate}]} | networkPolicy.from ([])
            rbac: {create: false}                          | rbac.create (false)
            """)
    void theNotesWarnAboutAChosenValue(String values, String warning) {
        String notes = Chart.notes(QUIET + values);

        assertThat(notes).contains("Check these values").contains("- " + warning);
    }

    @Test
    void theNotesWarnThatOnlyThePolicySendsEveryPodThroughKubeScheduler() {
        assertThat(Chart.notes(QUIET + "start: extender\nadmission: {gate: {enabled: false}}"))
                .contains("- start (extender) has no effect without the policy of admission.gate.enabled");
        assertThat(Chart.notes(QUIET + "start: extender"))
                .contains("All of them go through kube-scheduler")
                .doesNotContain("Check these values");
    }

    @Test
    void theNotesSayWhichTokenTheBoardTakes() {
        assertThat(Chart.notes(QUIET)).contains("http://127.0.0.1:8080").doesNotContain("--audience");
        assertThat(Chart.notes(QUIET + "auth: {audiences: [slotwise]}\ntls: {secret: ours}"))
                .contains("https://127.0.0.1:8080", "kubectl create token NAME --audience=slotwise")
                .doesNotContain("Check these values");
        assertThat(Chart.notes(QUIET + "auth: {audiences: [slotwise]}\nmonitoring: {serviceMonitor: {enabled: true}}"))
                .contains("- auth.audiences (slotwise): the token of Prometheus");
    }

    @Test
    void theNotesSayThatTheImageHasToBeBuiltAndPushed() {
        assertThat(Chart.notes("{}")).contains("image.repository (slotwise) has no registry");
    }
}
