package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.Monitoring.Asked;
import io.slotwise.it.Prometheus.Answer;
import io.slotwise.it.Prometheus.Query;
import io.slotwise.it.Prometheus.Scrape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the chart's dashboards and alerts against the metrics of a Slotwise, with Prometheus' own engine. */
final class MonitoringCheck {
    private static final long STEP = 1000;

    /** The fault that makes each alert fire. */
    private static final Map<String, Fault> FAULTS = Map.ofEntries(
            Map.entry("SlotwiseDown", _ -> null),
            Map.entry("SlotwiseHasNoLeader", with("slotwise_leader", "0")),
            Map.entry("SlotwiseDoesNotPlan", with("slotwise_last_cycle_timestamp_seconds", "0")),
            Map.entry(
                    "SlotwiseWatchIsSilent",
                    with("slotwise_watch_last_proof_timestamp_seconds\\{kind=\"pods\",?}", "0")),
            Map.entry("SlotwiseGangStartedPartly", with("slotwise_partial_gangs_total", "1")),
            Map.entry("SlotwiseBreaksPromises", with("slotwise_promises_broken_total\\{cause=\"overrun\",?}", "30")),
            Map.entry("SlotwisePolicyIsInvalid", with("slotwise_policy_invalid", "1")),
            Map.entry("SlotwiseInternalErrors", with("slotwise_object_warnings\\{reason=\"InternalError\",?}", "1")),
            Map.entry("SlotwisePricesAreMissing", with("slotwise_object_warnings\\{reason=\"PriceMissing\",?}", "3")),
            Map.entry("SlotwiseCyclesAreSlow", with("slotwise_cycle_seconds_sum", "100000")),
            Map.entry("SlotwiseGangWaitsLong", with("slotwise_oldest_waiting_gang_seconds", "90000")),
            Map.entry("SlotwiseQueueStarves", withAny("slotwise_queue_oldest_entitled_wait_seconds\\{[^}]*}", "900")),
            Map.entry("SlotwiseOtherQueuesStarve", with("slotwise_starving_queues", "3")),
            Map.entry("SlotwiseQueueBudgetIsUsedUp", withAny("slotwise_queue_budget_left\\{[^}]*}", "0")),
            Map.entry("SlotwiseBudgetIsUsedUp", withAny("slotwise_namespace_budget_left\\{[^}]*}", "0")),
            Map.entry(
                    "SlotwiseAnswersKubeSchedulerSlowly",
                    withAny(
                            "slotwise_extender_seconds_bucket\\{[^}]*verb=\"filter\"[^}]*le=\"\\+Inf\"[^}]*}",
                            "100000")),
            Map.entry("SlotwiseStartsLate", with("slotwise_gang_starts_total\\{punctuality=\"late\",?}", "30")));

    /** A change of the metrics that a replica exposes. */
    private interface Fault {
        /** The changed metrics, or null if the replica does not answer. */
        @Nullable
        String exposed(String metrics);
    }

    private final Prometheus prometheus;
    private final List<Scrape> scrapes;

    MonitoringCheck(Prometheus prometheus, List<Scrape> scrapes) {
        this.prometheus = prometheus;
        this.scrapes = scrapes;
    }

    /** Checks that all queries work and select existing series, panels have values, and no alert fires now. */
    void complete(Monitoring monitoring) {
        long end = scrapes.getLast().time();
        long start = scrapes.getFirst().time();
        answers(monitoring.panels(), start)
                .forEach((asked, answer) -> assertThat(answer.numbers())
                        .as("the figures of %s: %s", asked.where(), asked.expr())
                        .isNotEmpty());
        answers(monitoring.variables(), start)
                .forEach((asked, answer) -> assertThat(answer.series())
                        .as("the values of %s: %s", asked.where(), asked.expr())
                        .isNotEmpty());
        answers(monitoring.alerts(), end)
                .forEach((asked, answer) -> assertThat(answer.series())
                        .as("where %s fires: %s", asked.where(), asked.expr())
                        .isEmpty());
    }

    /** The last value of the panel with these titles. */
    double last(String where, Monitoring monitoring) {
        List<Asked> panel = monitoring.panels().stream()
                .filter(asked -> asked.where().equals(where))
                .toList();
        assertThat(panel).as(where).hasSize(1);
        return answers(panel, scrapes.getLast().time())
                .values()
                .iterator()
                .next()
                .numbers()
                .getLast();
    }

    /** Checks that every alert fires if, and only if, its own fault happens. */
    void alertsFireWhereTheyShould(Monitoring monitoring) {
        assertThat(monitoring.alerts()).extracting(Asked::where).hasSameElementsAs(FAULTS.keySet());
        FAULTS.forEach((alert, fault) -> {
            List<Scrape> faulty = followedBy(fault);
            List<String> firing = new ArrayList<>();
            long end = faulty.getLast().time();
            List<Query> queries = monitoring.alerts().stream()
                    .map(asked -> Query.at(asked.expr(), end))
                    .toList();
            List<Answer> answers = prometheus.answer(faulty, queries);
            for (int i = 0; i < answers.size(); i++) {
                if (!answers.get(i).series().isEmpty()) {
                    firing.add(monitoring.alerts().get(i).where());
                }
            }
            assertThat(firing).as("what fires by the fault of %s", alert).containsOnly(alert);
        });
    }

    /** All scrapes and, a second later, the fault's change of each replica's last scrape. */
    private List<Scrape> followedBy(Fault fault) {
        Map<Map<String, String>, Scrape> latest = new LinkedHashMap<>();
        scrapes.forEach(scrape -> latest.put(scrape.target(), scrape));
        List<Scrape> all = new ArrayList<>(scrapes);
        latest.forEach((target, scrape) -> all.add(new Scrape(
                scrapes.getLast().time() + STEP, target, fault.exposed(Objects.requireNonNull(scrape.text())))));
        return all;
    }

    /** Sets the value of every series of this name, which all replicas must have. */
    private static Fault with(String series, String value) {
        Pattern line = line(series);
        return text -> {
            Matcher exposed = line.matcher(text);
            assertThat(exposed.find()).as("the series %s", series).isTrue();
            return exposed.replaceAll("$1 " + value);
        };
    }

    /** Sets the value of every series of this name, which not every replica needs to have. */
    private static Fault withAny(String series, String value) {
        Pattern line = line(series);
        return text -> line.matcher(text).replaceAll("$1 " + value);
    }

    private static Pattern line(String series) {
        return Pattern.compile("(?m)^(" + series + ") .*$");
    }

    private Map<Asked, Answer> answers(List<Asked> asked, long start) {
        long end = scrapes.getLast().time();
        List<Answer> found = prometheus.answer(
                scrapes,
                asked.stream()
                        .map(one -> new Query(one.expr(), start, end, STEP))
                        .toList());
        Map<Asked, Answer> answers = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            Asked one = asked.get(i);
            assertThat(found.get(i).error())
                    .as("%s: %s", one.where(), one.expr())
                    .isNull();
            assertThat(found.get(i).selectors())
                    .isNotEmpty()
                    .allSatisfy(selector -> assertThat(selector.matches())
                            .as("series that %s matches, in %s", selector.expr(), one.where())
                            .isPositive());
            answers.put(one, found.get(i));
        }
        return answers;
    }
}
