package io.slotwise.web.board;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.cli.remote.WhyText;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.Terminal;
import io.slotwise.testing.ApiDescription;
import io.slotwise.testing.FakeKarpenter;
import io.slotwise.testing.WholeReplica;
import io.slotwise.web.GangAnswer;
import io.slotwise.web.PlannerAnswer;
import io.slotwise.web.access.NamespaceScope;
import io.slotwise.web.board.Board.Purchase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bought nodes on the board, in the API and in the metrics of a whole replica. */
class BoardPurchasesTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final String NODES = """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "there", "labels": {"slotwise.io/price": "1"}},
         "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
          "conditions": [{"type": "Ready", "status": "True"}]}}
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "pool"},
         "spec": {"template": {"spec": {"nodeClassRef": {"group": "g", "kind": "K", "name": "default"}}}}}
        """;

    private final FakeKarpenter karpenter = new FakeKarpenter("""
        apiVersion: v1
        kind: Node
        metadata:
          name: four
          labels: {slotwise.io/price: "1"}
          annotations: {slotwise.io/offer-delay: 30s, slotwise.io/offer-billed-step: 2m}
        status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
        """, 30);

    private WholeReplica replica = replica(Mode.BUY);

    private WholeReplica replica(Mode mode) {
        Provisioning.Spending most = new Provisioning.Spending(Money.parse("2"), Period.DAY);
        return new WholeReplica(
                        LoopSettings.EXACT.withPolicy(
                                Policy.EXACT.withProvisioning(new Provisioning(mode, 3, most, 0))),
                        PriceCatalogue.EMPTY,
                        BEGIN,
                        karpenter)
                .seeing(NODES);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    /** A gang of two pods, of which one fits on the existing node. */
    private static String pods(String more, String phase, List<String> nodes) {
        StringBuilder pods = new StringBuilder();
        for (int i = 0; i < 2; i++) {
            pods.append("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "g-%d", "namespace": "user", "uid": "uid-g-%d",
                  "creationTimestamp": "2030-01-01T00:00:00Z", "labels": {"slotwise.io/gang": "g"},
                  "annotations": {"slotwise.io/gang-size": "2", "slotwise.io/runtime": "20s" %s}},
                 "spec": {"schedulerName": "slotwise", %s
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "3", "memory": "1Gi"}}}]},
                 "status": {"phase": "%s"}}
                """.formatted(
                            i, i, more, nodes.isEmpty() ? "" : "\"nodeName\": \"%s\",".formatted(nodes.get(i)), phase));
        }
        return pods.toString();
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            replica.pass(Duration.ofSeconds(1));
            karpenter.go();
            replica.cycle();
        }
    }

    private Purchase bought(Board board) {
        return board.nodes().stream()
                .map(Board.Node::purchase)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private GangAnswer answer() {
        return replica.answers().getFirst();
    }

    private static SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        Objects.requireNonNull(record.promise())
                .window()
                .placements()
                .forEach(placement -> uids.put(placement.pod(), "uid-" + placement.pod()));
        return uids;
    }

    /** Asserts that all documents match the API's description. */
    private void isDescribed() throws JsonProcessingException {
        replica.documents()
                .forEach(document -> assertThat(ApiDescription.violations(document.schema(), document.json()))
                        .as(document.json())
                        .isEmpty());
        ObjectMapper json = new ObjectMapper();
        ObjectNode board = json.valueToTree(replica.board());
        board.put("version", "1");
        board.put("speed", 1);
        assertThat(ApiDescription.violations("Board", json.writeValueAsString(board)))
                .isEmpty();
    }

    @Test
    void aPurchaseIsShownFromItsPromiseUntilItsNodeIsThere() throws JsonProcessingException {
        replica.seeing(pods(", \"slotwise.io/earliest-start\": \"2030-01-01T00:01:00Z\"", "Pending", List.of()));

        replica.cycle();
        Purchase planned = bought(replica.board());
        assertThat(planned.state()).isEqualTo(Purchase.State.PLANNED);
        assertThat(planned.gang()).isEqualTo("user/g");
        assertThat(planned.offer()).isEqualTo("pool.four");
        assertThat(planned.bought()).isEqualTo(BEGIN.getEpochSecond() + 30);
        assertThat(planned.ready()).isEqualTo(BEGIN.getEpochSecond() + 60);
        assertThat(planned.bill()).isEqualTo("0.033334");
        assertThat(answer().purchases())
                .singleElement()
                .satisfies(one -> assertThat(one.state()).isEqualTo("planned"));
        isDescribed();

        pass(31);
        assertThat(bought(replica.board()).state()).isEqualTo(Purchase.State.STARTING);
        assertThat(answer().purchases())
                .singleElement()
                .satisfies(one -> assertThat(one.state()).isEqualTo("starting"));
        Board.Buying buying = Objects.requireNonNull(replica.board().buying());
        assertThat(buying.nodes()).isEqualTo(1);
        assertThat(buying.spent()).isEqualTo("0.033334");
        assertThat(buying.maxSpend()).isEqualTo("2.000000");
        assertThat(buying.resting()).isZero();
        isDescribed();

        pass(30);
        Purchase there = bought(replica.board());
        assertThat(there.state()).isEqualTo(Purchase.State.BOUGHT);
        assertThat(there.name()).isEqualTo(planned.name());
        assertThat(answer().purchases())
                .singleElement()
                .satisfies(one -> assertThat(one.state()).isEqualTo("bought"));
        assertThat(replica.metered("slotwise_bought_node_start", "offer", "pool.four"))
                .isEqualTo(1);
        assertThat(replica.metered("slotwise_purchases", "offer", "pool.four")).isEqualTo(1);
        assertThat(replica.metered("slotwise_purchase_cost", "offer", "pool.four"))
                .isEqualTo(120 / 3600.0);
        assertThat(replica.metered("slotwise_purchases_spent")).isEqualTo(120 / 3600.0);
        isDescribed();
    }

    @Test
    void aNodeIsIdleUntilItsGangRunsAndBusyThen() {
        karpenter.taking(20);
        replica.seeing(pods("", "Pending", List.of()));
        replica.cycle();

        pass(22);
        assertThat(replica.metered("slotwise_bought_nodes", "state", "idle")).isEqualTo(1);
        pass(8);
        assertThat(replica.opened(BoardPurchasesTest::uids)).hasSize(1);
        GangRecord running = replica.records().iterator().next();
        replica.seeing(pods(
                "",
                "Running",
                Objects.requireNonNull(running.promise()).window().placements().stream()
                        .map(placement -> placement.node())
                        .toList()));
        pass(2);

        assertThat(replica.metered("slotwise_bought_nodes", "state", "busy")).isEqualTo(1);
        assertThat(replica.metered("slotwise_bought_idle_seconds", "offer", "pool.four"))
                .isBetween(8.0, 11.0);
    }

    @Test
    void aReaderWithoutTheGangSeesOnlyThatANodeIsBought() throws JsonProcessingException {
        replica.seeing(pods("", "Pending", List.of()));
        replica.cycle();

        Board seen = BoardRedactor.over(replica.board(), new NamespaceScope(false, Set.of("other")));

        Purchase purchase = bought(seen);
        assertThat(purchase.state()).isEqualTo(Purchase.State.STARTING);
        assertThat(purchase.gang()).isNull();
        assertThat(purchase.bill()).isNull();
        assertThat(seen.buying()).isNull();
        assertThat(new ObjectMapper().writeValueAsString(seen)).doesNotContain("user/g");
        assertThat(bought(BoardRedactor.over(replica.board(), new NamespaceScope(false, Set.of("user"))))
                        .gang())
                .isEqualTo("user/g");
    }

    @Test
    void underModePlanAGangIsToldWhatOneWouldBuyForIt() throws JsonProcessingException {
        replica.close();
        replica = replica(Mode.PLAN);
        replica.seeing(pods("", "Pending", List.of()));

        replica.cycle();

        PlannerAnswer.BuyingAnswer buying = Objects.requireNonNull(answer().buying());
        assertThat(buying.nodes()).containsExactly("pool.four");
        assertThat(buying.message())
                .isEqualTo("Buying 1 x pool.four would start it at 2030-01-01T00:00:30Z (+30s), for 0.0375");
        assertThat(words(answer())).contains(buying.message() + ".");
        assertThat(karpenter.claims()).isEmpty();
        assertThat(Objects.requireNonNull(replica.board().buying()).mode()).isEqualTo("plan");
        isDescribed();
    }

    @Test
    void aGangsPurchasesAreDescribedInWords() {
        replica.seeing(pods("", "Pending", List.of()));
        replica.cycle();

        assertThat(words(answer()))
                .contains(
                        "(pool.four): bought at 2030-01-01T00:00:00Z, expected at 2030-01-01T00:00:30Z, for 0.033334");
    }

    /** An answer as printed on the terminal. */
    private static String words(GangAnswer answer) {
        return WhyText.of(answer, new Terminal(200, false, true));
    }
}
