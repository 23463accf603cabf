package io.slotwise.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Proves that the free room of domains is the sum over their open nodes. */
class DomainsReportTest {
    private static final String BOARD = """
            {"now": 1893456000, "nodes": [
             {"name": "a", "schedulable": true, "capacity": {"cpu": 4000, "x/gpu": 8}, "taken": {"cpu": 1500},
              "levels": {"x/block": "b1", "x/rack": "b1/r1"}},
             {"name": "b", "schedulable": true, "capacity": {"cpu": 2000}, "taken": {"cpu": 3000},
              "levels": {"x/block": "b1", "x/rack": "b1/r1"}},
             {"name": "c", "schedulable": false, "capacity": {"cpu": 4000}, "taken": {},
              "levels": {"x/block": "b1", "x/rack": "b1/r2"}},
             {"name": "d", "schedulable": true, "capacity": {"cpu": 1000}, "taken": {},
              "purchase": {"name": "d", "state": "planned"}},
             {"name": "e", "schedulable": true, "capacity": {"cpu": 1000}, "taken": {}}]}
            """;

    private static DomainsReport report(String level) throws IOException {
        return DomainsReport.read(BOARD, level);
    }

    @Test
    void aDomainHasTheFreeRoomOfItsOpenNodes() throws IOException {
        assertThat(report("rack").csv()).isEqualTo("""
                        domain,nodes,open,resource,capacity,free
                        ,2,1,cpu,1000,1000
                        b1/r1,2,2,cpu,6000,2500
                        b1/r1,2,2,x/gpu,8,8
                        """);
    }

    @Test
    void aDomainWithoutOpenNodesIsShown() throws IOException {
        assertThat(report("x/rack").json()).contains("\"domain\": null", "\"domain\": \"b1/r2\"", "\"open\": 0");
        assertThat(report("x/rack")
                        .table(new Terminal(200, false, false))
                        .lines()
                        .map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "DOMAIN NODES OPEN FREE CAPACITY",
                        "- 2 1 1 cpu 1 cpu",
                        "b1/r1 2 2 2500m cpu, 8 x/gpu 6 cpu, 8 x/gpu",
                        "b1/r2 1 0 - -",
                        "",
                        "3 domains of x/rack");
    }

    @Test
    void aWordThatIsNoLevelIsRefused() {
        assertThatThrownBy(() -> report("row"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("`--by` (row) is not valid: expected a level of the nodes: x/block, x/rack");
        assertThatThrownBy(() -> DomainsReport.read("{\"now\": 0, \"nodes\": []}", "rack"))
                .hasMessage("`--by` (rack) is not valid: expected a level of the nodes: there is none");
    }
}
