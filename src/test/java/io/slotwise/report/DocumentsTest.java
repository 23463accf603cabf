package io.slotwise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Refusal;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.PlanBuilder.PlacedPod;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentsTest {
    private static final long HALF_A_UNIT = 500_000L * 3600;
    private static final Terminal PLAIN = new Terminal(100, false, false);

    @Test
    void jsonHasTheShapeThatOthersRelyOn() {
        PlanReport report = PlanReportTest.report(example());

        String json = JsonReport.write(report);

        assertThat(json).isEqualTo("""
                {
                  "now": "2030-01-01T00:00:00Z",
                  "horizon": "PT168H",
                  "windows": [
                    {
                      "gang": "user/g",
                      "start": "2030-01-01T00:00:00Z",
                      "end": "2030-01-01T00:20:00Z",
                      "runtimeSeconds": 1200,
                      "cost": "1.000000",
                      "budget": "2.000000",
                      "criterion": "cost",
                      "via": "cyclic",
                      "placement": [
                        {
                          "pod": "user/g-0",
                          "node": "n1",
                          "start": "2030-01-01T00:00:00Z",
                          "end": "2030-01-01T00:10:00Z",
                          "cost": "0.500000"
                        },
                        {
                          "pod": "user/g-1",
                          "node": "n2",
                          "start": "2030-01-01T00:00:00Z",
                          "end": "2030-01-01T00:20:00Z",
                          "cost": "0.500000"
                        }
                      ]
                    }
                  ],
                  "pending": [
                    {
                      "gang": "user/h",
                      "reason": "no window within budget: the cheapest costs 3.2 at 2030-01-01T01:00:00Z, the budget is 2"
                    }
                  ],
                  "totals": {
                    "cost": "1.000000",
                    "income": {
                      "ann": "0.500000",
                      "bob": "0.500000"
                    },
                    "processorSeconds": 1800,
                    "utilisation": 0.1875
                  }
                }
                """);
    }

    @Test
    void anUnlimitedBudgetIsNullInJsonAndEmptyInCsv() {
        PlanReport report = PlanReportTest.report(
                new PlanBuilder().node("n1", 4000, "ann").window("g", 0, null, new PlacedPod("n1", 600, 0)));

        assertThat(JsonReport.write(report)).contains("\"budget\": null");
        assertThat(CsvReport.write(report)).contains(",0.000000,0.000000,,cost,cyclic\r\n");
    }

    @Test
    void csvHasOneRowForEachPod() {
        String csv = CsvReport.write(PlanReportTest.report(example()));

        assertThat(csv).isEqualTo("""
                gang,pod,node,start,end,runtime_seconds,cost,gang_cost,gang_budget,criterion,via
                user/g,user/g-0,n1,2030-01-01T00:00:00Z,2030-01-01T00:10:00Z,600,0.500000,1.000000,2.000000,cost,cyclic
                user/g,user/g-1,n2,2030-01-01T00:00:00Z,2030-01-01T00:20:00Z,1200,0.500000,1.000000,2.000000,cost,cyclic
                """.replace("\n", "\r\n"));
    }

    @Test
    void theTableShowsWindowsReasonsAndTotals() {
        String table = new TableReport(PLAIN).write(PlanReportTest.report(example()));

        assertThat(table).isEqualTo("""
                Plan of 2030-01-01T00:00:00Z for the next 7d

                   WINDOW   IN  START                 END        RUNTIME  COST  BUDGET  CRITERION  VIA     NODES
                A  user/g  +0s  2030-01-01T00:00:00Z  00:20:00Z      20m     1       2  cost       cyclic  n1 n2

                WAITING  REASON
                user/h   no window within budget: the cheapest costs 3.2 at 2030-01-01T01:00:00Z, the budget is 2

                1 planned for 1, 1 waiting; processor time 30m; 18.75 % of CPU planned until the last end
                Income from windows of the next 7d: ann 0.5, bob 0.5
                """);
    }

    @Test
    void aClusterWithoutGangsSaysSo() {
        String table = new TableReport(PLAIN).write(PlanReportTest.report(new PlanBuilder().node("n1", 4000, "ann")));

        assertThat(table).endsWith("\nNo gang waits.\n");
    }

    @Test
    void anExplanationTellsTheWindowAndItsPods() {
        assertThat(Explanation.of(example().plan(), new GangId("user", "g"), List.of(), Currency.NONE))
                .containsExactly(
                        "user/g has a window: 2 pods start together at 2030-01-01T00:00:00Z (+0s),"
                                + " the last ends at 2030-01-01T00:20:00Z (runtime 20m).",
                        "It costs 1 of a budget of 2.",
                        "Its criterion is cost; the cyclic part of the cycle gave it this window.",
                        "  user/g-0 on n1 until 2030-01-01T00:10:00Z for 0.5",
                        "  user/g-1 on n2 until 2030-01-01T00:20:00Z for 0.5");
    }

    @Test
    void anExplanationOfARefusalGivesAdvice() {
        assertThat(Explanation.of(example().plan(), new GangId("user", "h"), List.of(), Currency.NONE))
                .containsExactly(
                        "user/h has no window: no window within budget: the cheapest costs 3.2 at "
                                + "2030-01-01T01:00:00Z, the budget is 2.",
                        "Raise slotwise.io/budget to 3.2 for a window that starts at 2030-01-01T01:00:00Z.");
    }

    @Test
    void adviceOnWhatCouldStartAtOnceStaysTrueAsTimePasses() {
        assertThat(Explanation.hint(new Refusal.OverBudget(Money.parse("3.2"), 0, Money.parse("2"), true)))
                .isEqualTo("Raise slotwise.io/budget to 3.2 for a window that starts at once.");
        assertThat(Explanation.hint(new Refusal.Deadline(1, 0, 5400, true)))
                .isEqualTo("Set slotwise.io/deadline to 1h30m from now or later for a window that starts at once.");
    }

    @Test
    void aGangIsFoundByItsNameAloneOrWithItsNamespace() {
        assertThat(Explanation.matching(example().plan(), "h")).containsExactly(new GangId("user", "h"));
        assertThat(Explanation.matching(example().plan(), "user/g")).containsExactly(new GangId("user", "g"));
        assertThat(Explanation.matching(example().plan(), "other/g")).isEmpty();
    }

    private static PlanBuilder example() {
        return new PlanBuilder()
                .node("n1", 4000, "ann")
                .node("n2", 4000, "bob")
                .window("g", 0, "2", new PlacedPod("n1", 600, HALF_A_UNIT), new PlacedPod("n2", 1200, HALF_A_UNIT))
                .pending(
                        "h",
                        new Refusal.OverBudget(Money.parse("3.2"), PlanBuilder.NOW + 3600, Money.parse("2"), false));
    }
}
