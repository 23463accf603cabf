package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionalPartsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            admission: {gate: {enabled: false}}       | MutatingAdmissionPolicy
            admission: {validation: {enabled: false}, epoch: {enabled: false}, account: {enabled: false}, records: {enabled: false}, nodes: {enabled: false}, queues: {enabled: false}} | ValidatingAdmissionPolicy
            flowControl: {enabled: false}             | FlowSchema
            flowControl: {enabled: false}             | PriorityLevelConfiguration
            kubeScheduler: {enabled: false}           | MutatingAdmissionPolicy
            podDisruptionBudget: {enabled: false}     | PodDisruptionBudget
            networkPolicy: {enabled: false}           | NetworkPolicy
            priorityClass: {create: false}            | PriorityClass
            """)
    void aPartThatIsSwitchedOffIsNotThere(String values, String kind) {
        assertThat(Chart.rendered().all(kind)).isNotEmpty();
        assertThat(Chart.rendered(values).all(kind)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            monitoring: {serviceMonitor: {enabled: true}} | ServiceMonitor
            monitoring: {prometheusRule: {enabled: true}} | PrometheusRule
            tls: {certificate: {enabled: true, issuer: {name: ours}}} | Certificate
            ingress: {enabled: true, hosts: [slots.example.com]} | Ingress
            httpRoute: {enabled: true, parentRefs: [{name: gate}]} | HTTPRoute
            """)
    void aPartThatIsSwitchedOnIsThere(String values, String kind) {
        assertThat(Chart.rendered().all(kind)).isEmpty();
        assertThat(Chart.rendered(values).all(kind)).hasSize(1);
    }

    @Test
    void additionsOfAnInstallationHaveAPlaceInTheChart() {
        Chart.Rendered rendered = Chart.rendered("""
                deploymentAnnotations: {team: batch}
                extraVolumes: [{name: ca, configMap: {name: ours}}]
                extraObjects:
                - apiVersion: v1
                  kind: Secret
                  metadata: {name: '{{ .Release.Name }}-more'}
                slotwise:
                  extraArgs: [--quiet=true]
                  extraVolumeMounts: [{name: ca, mountPath: /etc/ca}]
                """);

        JsonNode deployment = rendered.one("Deployment", "slotwise");
        assertThat(deployment.at("/metadata/annotations/team").asText()).isEqualTo("batch");
        JsonNode pod = deployment.at("/spec/template/spec");
        assertThat(pod.at("/containers/1/args"))
                .last()
                .satisfies(argument -> assertThat(argument.asText()).isEqualTo("--quiet=true"));
        assertThat(pod.at("/containers/1/volumeMounts"))
                .anySatisfy(
                        mount -> assertThat(mount.path("mountPath").asText()).isEqualTo("/etc/ca"));
        assertThat(pod.path("volumes"))
                .anySatisfy(volume ->
                        assertThat(volume.at("/configMap/name").asText()).isEqualTo("ours"));
        assertThat(rendered.all("Secret"))
                .anySatisfy(secret ->
                        assertThat(secret.at("/metadata/name").asText()).endsWith("-more"));
    }

    @Test
    void theExtenderIsOnlyForThePodUnlessCertificatesIdentifyCallers() {
        String values = "slotwise: {extender: {tlsSecret: slotwise-extender, clientNames: [kube-scheduler, another]}}";
        Chart.Rendered alone = Chart.rendered();
        Chart.Rendered exposed = Chart.rendered(values);

        assertThat(alone.text()).doesNotContain("SLOTWISE_EXTENDER_TLS", "8443");
        assertThat(exposed.one("Service", "slotwise").at("/spec/ports/1/port").asInt())
                .isEqualTo(8443);
        assertThat(exposed.one("NetworkPolicy", "slotwise")
                        .at("/spec/ingress/1/ports/0/port")
                        .asText())
                .isEqualTo("extender");
        JsonNode pod = exposed.one("Deployment", "slotwise").at("/spec/template/spec");
        assertThat(pod.at("/containers/1/env"))
                .anySatisfy(variable -> {
                    assertThat(variable.path("name").asText()).isEqualTo("SLOTWISE_EXTENDER_CLIENT_NAMES");
                    assertThat(variable.path("value").asText()).isEqualTo("kube-scheduler,another");
                })
                .anySatisfy(variable -> {
                    assertThat(variable.path("name").asText()).isEqualTo("SLOTWISE_EXTENDER_PORT");
                    assertThat(variable.path("value").asText()).isEqualTo("8443");
                });
        assertThat(pod.path("volumes"))
                .anySatisfy(volume ->
                        assertThat(volume.at("/secret/secretName").asText()).isEqualTo("slotwise-extender"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"slotwise: {extender: {tlsSecret: s}}", "slotwise: {extender: {clientNames: [kube-scheduler]}}"})
    void certificatesAndTheNamesInThemBelongTogether(String values) {
        assertThatThrownBy(() -> Chart.rendered(values))
                .hasMessageContaining("belong together: expected both, or none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tls: {secret: ours}", "tls: {secret: ours, certificate: {enabled: true, issuer: {name: ca}}}"})
    void boardAndApiSpeakTlsOnTheSamePort(String values) {
        Chart.Rendered chart = Chart.rendered(values
                + "\nmonitoring: {serviceMonitor: {enabled: true}}\ningress: {enabled: true, hosts: [a.example.com]}");
        JsonNode slotwise = chart.container("slotwise");

        assertThat(slotwise.at("/ports/0/name").asText()).isEqualTo("https");
        assertThat(slotwise.at("/ports/0/containerPort").asInt()).isEqualTo(8080);
        assertThat(slotwise.path("env"))
                .anySatisfy(
                        variable -> assertThat(variable.path("value").asText()).isEqualTo("prod,tls"))
                .anySatisfy(variable -> {
                    assertThat(variable.path("name").asText()).isEqualTo("SLOTWISE_TLS");
                    assertThat(variable.path("value").asText()).isEqualTo("/etc/slotwise-tls");
                });
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertThat(slotwise.path(probe).at("/httpGet/scheme").asText()).isEqualTo("HTTPS");
            assertThat(slotwise.path(probe).at("/httpGet/port").asText()).isEqualTo("https");
        }
        JsonNode port = chart.one("Service", "slotwise").at("/spec/ports/0");
        assertThat(port.path("name").asText()).isEqualTo("https");
        assertThat(port.path("targetPort").asText()).isEqualTo("https");
        assertThat(port.path("appProtocol").asText()).isEqualTo("https");
        assertThat(chart.one("NetworkPolicy", "slotwise")
                        .at("/spec/ingress/0/ports/0/port")
                        .asText())
                .isEqualTo("https");
        JsonNode scrape = chart.one("ServiceMonitor", "slotwise").at("/spec/endpoints/0");
        assertThat(scrape.path("scheme").asText()).isEqualTo("https");
        assertThat(scrape.at("/tlsConfig/serverName").asText()).isEqualTo("slotwise.slotwise.svc");
        assertThat(scrape.at("/tlsConfig/ca/secret/name").asText()).isEqualTo("ours");
        assertThat(chart.one("Ingress", "slotwise")
                        .at("/spec/rules/0/http/paths/0/backend/service/port/name")
                        .asText())
                .isEqualTo("https");
        assertThat(chart.pod().at("/spec/volumes").findValuesAsText("secretName"))
                .contains("ours");
        assertThat(Chart.rendered().text()).doesNotContain("SLOTWISE_TLS", "https:slotwise");
    }

    @Test
    void certManagersCertificateIsForTheServiceAndMore() {
        JsonNode certificate = Chart.rendered(
                        "tls: {certificate: {enabled: true, issuer: {kind: Issuer, name: ca}, dnsNames: "
                                + "[a.example.com]}}")
                .one("Certificate", "slotwise")
                .path("spec");

        assertThat(certificate.path("secretName").asText()).isEqualTo("slotwise-tls");
        assertThat(certificate.at("/issuerRef/kind").asText()).isEqualTo("Issuer");
        assertThat(certificate.at("/issuerRef/name").asText()).isEqualTo("ca");
        assertThat(certificate.path("dnsNames"))
                .extracting(JsonNode::asText)
                .containsExactly("slotwise.slotwise.svc", "slotwise.slotwise.svc.cluster.local", "a.example.com");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tls: {certificate: {enabled: true}} | tls.certificate.issuer.name
            ingress: {enabled: true}            | ingress.hosts
            httpRoute: {enabled: true}          | httpRoute.parentRefs
            """)
    void aWayToTheBoardNeedsToKnowWhere(String values, String missing) {
        assertThatThrownBy(() -> Chart.rendered(values)).hasMessageContaining("needs " + missing);
    }

    @Test
    void waysFromOutsideLeadToTheService() {
        Chart.Rendered chart = Chart.rendered("""
                ingress: {enabled: true, className: nginx, hosts: [a.example.com, b.example.com], tlsSecret: own}
                httpRoute: {enabled: true, parentRefs: [{name: gate, namespace: edge}], hostnames: [c.example.com]}
                """);
        JsonNode ingress = chart.one("Ingress", "slotwise").path("spec");
        JsonNode route = chart.one("HTTPRoute", "slotwise").path("spec");

        assertThat(ingress.path("ingressClassName").asText()).isEqualTo("nginx");
        assertThat(ingress.at("/tls/0/secretName").asText()).isEqualTo("own");
        assertThat(ingress.path("rules").findValuesAsText("host")).containsExactly("a.example.com", "b.example.com");
        assertThat(ingress.at("/rules/1/http/paths/0/backend/service/port/name").asText())
                .isEqualTo("http");
        assertThat(route.at("/parentRefs/0/namespace").asText()).isEqualTo("edge");
        assertThat(route.at("/hostnames/0").asText()).isEqualTo("c.example.com");
        assertThat(route.at("/rules/0/backendRefs/0/port").asInt()).isEqualTo(80);
    }

    @Test
    void audiencesAreHandedOn() {
        assertThat(Chart.rendered("auth: {audiences: [slotwise, more]}")
                        .container("slotwise")
                        .path("env"))
                .anySatisfy(variable -> {
                    assertThat(variable.path("name").asText()).isEqualTo("SLOTWISE_AUTH_AUDIENCES");
                    assertThat(variable.path("value").asText()).isEqualTo("slotwise,more");
                });
        assertThat(Chart.rendered().text()).doesNotContain("AUDIENCES");
    }

    @Test
    void anIssuerOfTokensIsHandedOnWithItsAuthorityAndMayBeReached() {
        Chart.Rendered chart = Chart.rendered("""
                auth:
                  oidc:
                    issuer: https://issuer.example:8443/realms/research
                    audiences: [slotwise-board, cli]
                    usernamePrefix: "oidc:"
                    groupsPrefix: "oidc:"
                    caSecret: issuer-ca
                """);

        Map<String, String> set = new TreeMap<>();
        chart.container("slotwise").path("env").forEach(variable -> {
            String name = variable.path("name").asText();
            if (name.startsWith("SLOTWISE_AUTH_OIDC_")) {
                set.put(name, variable.path("value").asText());
            }
        });
        assertThat(set)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "SLOTWISE_AUTH_OIDC_ISSUER", "https://issuer.example:8443/realms/research",
                        "SLOTWISE_AUTH_OIDC_AUDIENCES", "slotwise-board,cli",
                        "SLOTWISE_AUTH_OIDC_USERNAME_CLAIM", "sub",
                        "SLOTWISE_AUTH_OIDC_USERNAME_PREFIX", "oidc:",
                        "SLOTWISE_AUTH_OIDC_GROUPS_CLAIM", "groups",
                        "SLOTWISE_AUTH_OIDC_GROUPS_PREFIX", "oidc:",
                        "SLOTWISE_AUTH_OIDC_CA_FILE", "/etc/slotwise-issuer/ca.crt"));
        assertThat(chart.container("slotwise").path("volumeMounts").toString()).contains("/etc/slotwise-issuer");
        assertThat(chart.pod().at("/spec/volumes").toString()).contains("\"secretName\":\"issuer-ca\"");
        assertThat(chart.all("NetworkPolicy").getFirst().at("/spec/egress").toString())
                .contains("8443");
        assertThat(Chart.rendered().text()).doesNotContain("OIDC").doesNotContain("slotwise-issuer");
    }

    @Test
    void podsReachOnlyClusterDnsAndTheConfiguredApiServer() {
        assertThat(egress(Chart.rendered("")))
                .isEqualTo("[{\"to\":[{\"namespaceSelector\":{}},{\"ipBlock\":{\"cidr\":\"169.254.20.10/32\"}}],"
                        + "\"ports\":[{\"protocol\":\"UDP\",\"port\":53},{\"protocol\":\"TCP\",\"port\":53}]},"
                        + "{\"ports\":[{\"protocol\":\"TCP\",\"port\":443},{\"protocol\":\"TCP\",\"port\":6443}]}]");
        assertThat(egress(Chart.rendered("networkPolicy: {apiServer: [{ipBlock: {cidr: 10.0.0.1/32}}]}")))
                .endsWith("\"to\":[{\"ipBlock\":{\"cidr\":\"10.0.0.1/32\"}}]}]");
    }

    private static String egress(Chart.Rendered chart) {
        return chart.one("NetworkPolicy", "slotwise").at("/spec/egress").toString();
    }

    @Test
    void noGangThatSlotwiseStartsDisplacesSlotwise() {
        Chart.Rendered chart = Chart.rendered();

        assertThat(chart.one("PriorityClass", "slotwise").path("value").asLong())
                .isEqualTo(1_000_000_000);
        assertThat(chart.pod().at("/spec/priorityClassName").asText()).isEqualTo("slotwise");
    }

    @Test
    void anIssuerWithoutAnAudienceIsRefused() {
        assertThatThrownBy(() -> Chart.rendered("auth: {oidc: {issuer: 'https://issuer.example'}}"))
                .hasMessageContaining(
                        "auth.oidc.issuer (https://issuer.example) needs auth.oidc.audiences: expected a client id");
    }

    @Test
    void anIssuerOnTheUsualPortMayBeReachedToo() {
        assertThat(Chart.rendered("""
                        auth: {oidc: {issuer: 'https://issuer.example', audiences: [a]}}
                        networkPolicy: {apiServerPorts: [6443]}
                        """)
                        .all("NetworkPolicy")
                        .getFirst()
                        .at("/spec/egress")
                        .toString())
                .contains("\"port\":443}");
    }

    @Test
    void withoutRolesThereAreOnlyTheHooksOwn() {
        Chart.Rendered chart = Chart.rendered("rbac: {create: false}");

        assertThat(chart.all("ClusterRole"))
                .extracting(role -> role.at("/metadata/name").asText())
                .containsExactly("slotwise-ungate");
        assertThat(chart.all("Role")).isEmpty();
    }

    @Test
    void theJobThatTakesGatesOffRunsBeforeTheChartGoes() {
        JsonNode job = Chart.rendered("schedulerName: planner").one("Job", "slotwise-ungate");

        assertThat(job.at("/metadata/annotations").path("hook").asText()).isEqualTo("pre-delete");
        assertThat(job.at("/spec/template/spec/containers/0/args"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "ungate",
                        "--scheduler-name=slotwise-extender",
                        "--scheduler-name=planner",
                        "--deployment=slotwise/slotwise",
                        "--policy-binding=slotwise-gate");
    }

    @Test
    void theJobLetsRecordsGoWhereGatesAreKept() {
        Chart.Rendered chart = Chart.rendered("uninstall: {gates: keep}");

        assertThat(chart.one("Job", "slotwise-ungate").at("/spec/template/spec/containers/0/args"))
                .extracting(JsonNode::asText)
                .containsExactly("ungate", "--keep-gates", "--deployment=slotwise/slotwise");
        assertThat(chart.one("ClusterRole", "slotwise-ungate").toString())
                .contains("reservations")
                .doesNotContain("mutatingadmissionpolicybindings");
    }

    @Test
    void withoutKubeSchedulerNothingOfItIsLeft() {
        Chart.Rendered chart = Chart.rendered("kubeScheduler: {enabled: false}");

        assertThat(chart.pod().at("/spec/containers"))
                .extracting(container -> container.path("name").asText())
                .containsExactly("slotwise");
        assertThat(chart.text())
                .doesNotContain(
                        "slotwise-kube-scheduler",
                        "system:kube-scheduler",
                        "EXTENDER_POD",
                        "slotwise-keys",
                        "kube-scheduler-keys");
        assertThat(chart.container("slotwise").path("env")).anySatisfy(variable -> {
            assertThat(variable.path("name").asText()).isEqualTo("SLOTWISE_KUBE_SCHEDULER");
            assertThat(variable.path("value").asText()).isEqualTo("false");
        });
    }

    @Test
    void everyAlertLeadsToItsRunbook() throws IOException {
        JsonNode rules = Chart.rendered("{offers: '#', monitoring: {prometheusRule: {enabled: true, runbookUrl: "
                        + "'https://wiki.example.com/slotwise'}}}")
                .all("PrometheusRule")
                .getFirst();
        List<String> sections = Files.readAllLines(Path.of("docs/how-to/troubleshoot.md")).stream()
                .filter(line -> line.startsWith("### Slotwise"))
                .map(line -> line.substring("### ".length()))
                .toList();

        assertThat(Set.copyOf(rules.findValuesAsText("alert"))).containsExactlyInAnyOrderElementsOf(sections);
        assertThat(Set.copyOf(rules.findValuesAsText("runbook_url")))
                .containsExactlyInAnyOrderElementsOf(sections.stream()
                        .map(alert -> "https://wiki.example.com/slotwise#" + alert.toLowerCase(Locale.ROOT))
                        .toList());
    }

    @Test
    void aKubeSchedulerElsewhereServesTheSecondNameToo() {
        Chart.Rendered chart = Chart.rendered(
                "kubeScheduler: {enabled: false}\nslotwise: {extender: {tlsSecret: s, clientNames: [kube-scheduler]}}");

        assertThat(chart.all("MutatingAdmissionPolicy")).hasSize(1);
        assertThat(chart.text()).doesNotContain("SLOTWISE_KUBE_SCHEDULER");
    }

    @Test
    void everyPodCannotGoThroughAKubeSchedulerThatIsNotThere() {
        assertThatThrownBy(() -> Chart.rendered("start: extender\nkubeScheduler: {enabled: false}"))
                .hasMessageContaining("start (extender) sends every pod through kube-scheduler");
    }

    @Test
    void theTwoSchedulerNamesDiffer() {
        assertThatThrownBy(() -> Chart.rendered("extenderSchedulerName: slotwise"))
                .hasMessageContaining("expected two names");
    }

    @Test
    void alertsUseTheMetricsThatThereAre() {
        JsonNode rules = Chart.rendered("monitoring: {prometheusRule: {enabled: true}}")
                .all("PrometheusRule")
                .getFirst()
                .at("/spec/groups/0/rules");

        assertThat(rules.findValuesAsText("alert"))
                .containsExactly(
                        "SlotwiseDown",
                        "SlotwiseHasNoLeader",
                        "SlotwiseDoesNotPlan",
                        "SlotwiseWatchIsSilent",
                        "SlotwiseGangStartedPartly",
                        "SlotwiseBreaksPromises",
                        "SlotwisePolicyIsInvalid",
                        "SlotwiseInternalErrors",
                        "SlotwisePricesAreMissing",
                        "SlotwiseCyclesAreSlow",
                        "SlotwiseGangWaitsLong",
                        "SlotwiseQueueStarves",
                        "SlotwiseOtherQueuesStarve",
                        "SlotwiseBudgetIsUsedUp",
                        "SlotwiseQueueBudgetIsUsedUp",
                        "SlotwiseAnswersKubeSchedulerSlowly",
                        "SlotwiseStartsLate",
                        "SlotwiseStartsLate");
    }

    @Test
    void anObjectiveBurnsOverALongAndAShortWindow() {
        JsonNode rules = Chart.rendered("monitoring: {prometheusRule: {enabled: true}}")
                .all("PrometheusRule")
                .getFirst()
                .at("/spec/groups/0/rules");

        List<JsonNode> burning = StreamSupport.stream(rules.spliterator(), false)
                .filter(rule -> rule.path("alert").asText().equals("SlotwiseStartsLate"))
                .toList();

        assertThat(burning)
                .extracting(rule -> rule.at("/labels/severity").asText())
                .containsExactly("critical", "warning");
        assertThat(burning.get(0).path("expr").asText()).contains("[1h]))", "\nand ", "[5m]))", "> 0.144");
        assertThat(burning.get(1).path("expr").asText()).contains("[6h]))", "\nand ", "[30m]))", "> 0.06");
    }

    @Test
    void onlyThePortOfMetricsAndBoardIsReachable() {
        JsonNode ingress = Chart.rendered().one("NetworkPolicy", "slotwise").at("/spec/ingress");

        assertThat(ingress).hasSize(1);
        assertThat(ingress.at("/0/ports/0/port").asText()).isEqualTo("http");
        assertThat(ingress.at("/0/from/0/podSelector").isObject()).isTrue();
    }

    @Test
    void anInstallationUnderAnotherNameKeepsItsObjectsApart() {
        Chart.Rendered chart = Chart.rendered("fullnameOverride: other");

        assertThat(chart.objects())
                .filteredOn(object -> !object.path("kind").asText().equals("CustomResourceDefinition"))
                .allSatisfy(object ->
                        assertThat(object.at("/metadata/name").asText()).startsWith("other"));
    }
}
