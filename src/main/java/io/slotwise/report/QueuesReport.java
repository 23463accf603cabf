package io.slotwise.report;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.QueueBalance;
import io.slotwise.core.queue.QueueOutlook;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tree of queues with what each is guaranteed, uses, borrows and lends.
 *
 * @param now seconds since the epoch
 * @param balances each queue behind its parent
 * @param waiting the number of gangs without a window by queue, including the queues below
 * @param budgets by queue with a budget
 */
public record QueuesReport(
        long now, List<QueueBalance> balances, Map<String, Integer> waiting, Map<String, QueueBudget> budgets) {
    private static final String NONE = "-";
    private static final String INDENT = "  ";
    private static final long MILLI = 1000;
    private static final long BINARY = 1024;
    private static final List<String> BINARY_UNITS = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi");
    private static final double PERCENT = 100;

    public QueuesReport {
        balances = List.copyOf(balances);
        waiting = Map.copyOf(waiting);
        budgets = Map.copyOf(budgets);
    }

    /** A queue's budget, and what is left of it in the present period. */
    public record QueueBudget(Allotment allotment, Cost left) {
        /** Returns what is charged, held or promised of the budget in the present period; at most all of it. */
        Money spent() {
            return Cost.of(allotment.amount()).minus(left).roundedUp();
        }
    }

    /** Returns the queues of a snapshot with the windows of its plan. */
    public static QueuesReport of(Snapshot snapshot, Plan plan) {
        QueueState state = snapshot.queues();
        if (state == null) {
            return new QueuesReport(snapshot.now(), List.of(), Map.of(), Map.of());
        }
        Map<GangId, Gang> gangs = new HashMap<>();
        snapshot.requests().forEach(request -> gangs.put(request.gang().id(), request.gang()));
        List<QueueUse> windows = plan.windows().stream()
                .flatMap(planned -> planned.gang().use(planned.window().interval()))
                .toList();
        Set<String> holders = new HashSet<>();
        Stream.concat(state.running().stream(), windows.stream()).forEach(use -> holders.add(use.queue()));
        Map<String, Integer> waiting = new HashMap<>();
        for (Pending pending : plan.pending()) {
            Gang gang = gangs.get(pending.gang());
            String queue = gang == null ? null : gang.queue();
            if (queue != null && state.tree().has(queue)) {
                holders.add(queue);
                state.tree().path(queue).forEach(above -> waiting.merge(above, 1, Integer::sum));
            }
        }
        return new QueuesReport(
                snapshot.now(),
                QueueBalance.of(state, windows, holders, snapshot.now()),
                waiting,
                budgets(snapshot, plan));
    }

    private static Map<String, QueueBudget> budgets(Snapshot snapshot, Plan plan) {
        AccountBalances accounts = snapshot.balances(plan);
        Map<String, QueueBudget> budgets = new HashMap<>();
        snapshot.queueBudgets().forEach((queue, allotment) -> {
            Cost left = accounts.at(Account.ofQueue(queue), snapshot.now())
                    .map(Account::left)
                    .orElse(Cost.ZERO);
            budgets.put(queue, new QueueBudget(allotment, left));
        });
        return budgets;
    }

    /** Returns text such as {@code 4}, {@code 500m} or {@code 16Gi}. */
    public static String quantity(String resource, long amount) {
        if (resource.equals(Resources.CPU)) {
            return amount % MILLI == 0 ? Long.toString(amount / MILLI) : amount + "m";
        }
        boolean bytes = resource.indexOf('/') < 0 && !resource.equals(Resources.PODS);
        long units = amount;
        int unit = 0;
        while (bytes && units != 0 && units % BINARY == 0 && unit < BINARY_UNITS.size() - 1) {
            units /= BINARY;
            unit++;
        }
        return units + BINARY_UNITS.get(unit);
    }

    private static String positive(QueueBalance balance, long amount) {
        return amount == 0 || amount >= Amount.MOST ? NONE : quantity(balance.resource(), amount);
    }

    /** Returns the use in percent of the entitlement, or null if there is no entitlement. */
    private static @Nullable Double share(QueueBalance balance) {
        return balance.entitled() == 0 ? null : PERCENT * balance.used() / balance.entitled();
    }

    private static @Nullable Long limit(long limit) {
        return limit >= Amount.MOST ? null : limit;
    }

    /** A row of the table; {@code first} tells whether it is the first one of its queue. */
    private record Row(
            QueueBalance balance,
            boolean first,
            int waiting,
            @Nullable QueueBudget budget) {}

    public String table(Terminal terminal) {
        if (balances.isEmpty()) {
            return "No queues.\n";
        }
        List<Row> rows = new ArrayList<>();
        String before = "";
        for (QueueBalance balance : balances) {
            boolean first = !balance.queue().equals(before);
            int behind = waiting.getOrDefault(balance.queue(), 0);
            rows.add(new Row(balance, first, behind, first ? budgets.get(balance.queue()) : null));
            before = balance.queue();
        }
        return new TextTable<Row>()
                .name(
                        "QUEUE",
                        row -> row.first()
                                ? INDENT.repeat(row.balance().level())
                                        + row.balance().queue()
                                : "")
                .left("RESOURCE", row -> row.balance().resource())
                .right("GUARANTEE", row -> positive(row.balance(), row.balance().guarantee()))
                .right(
                        "LIMIT",
                        row -> limit(row.balance().limit()) == null
                                ? NONE
                                : quantity(
                                        row.balance().resource(), row.balance().limit()))
                .spare(0)
                .right("USED", row -> positive(row.balance(), row.balance().used()))
                .right("PROMISED", row -> positive(row.balance(), row.balance().promised()))
                .right("BORROWED", row -> positive(row.balance(), row.balance().borrowed()))
                .right("LENT", row -> positive(row.balance(), row.balance().lent()))
                .right("SHARE", row -> Objects.requireNonNullElse(percent(share(row.balance())), NONE))
                .spare(2)
                .right("WAITING", row -> !row.first() || row.waiting() == 0 ? "" : Integer.toString(row.waiting()))
                .spare(1)
                .right(
                        "BUDGET",
                        row -> row.budget() == null
                                ? ""
                                : row.budget().allotment().toString())
                .when(!budgets.isEmpty())
                .right(
                        "SPENT",
                        row -> row.budget() == null ? "" : row.budget().spent().brief())
                .when(!budgets.isEmpty())
                .draw(rows, terminal);
    }

    private static @Nullable String percent(@Nullable Double share) {
        return share == null ? null : "%.0f %%".formatted(share);
    }

    /** Returns indented JSON with a final line feed: milli-cores, bytes and units. Unknown values are null. */
    public String json() {
        return json(null);
    }

    /** Returns the same, with the use over time unless there is no outlook. */
    public String json(@Nullable QueueOutlook outlook) {
        Map<String, List<QueueBalance>> byQueue = balances.stream()
                .collect(Collectors.groupingBy(QueueBalance::queue, LinkedHashMap::new, Collectors.toList()));
        return new JsonObject()
                .put("now", TimeText.instant(now))
                .putEach("queues", byQueue.entrySet(), queue -> queue(queue.getKey(), queue.getValue(), outlook))
                .document();
    }

    private JsonObject queue(String name, List<QueueBalance> ofResources, @Nullable QueueOutlook outlook) {
        QueueBudget budget = budgets.get(name);
        return new JsonObject()
                .put("queue", name)
                .put("level", ofResources.getFirst().level())
                .put("waiting", waiting.getOrDefault(name, 0))
                .put("budget", budget == null ? null : budget.allotment().toString())
                .put("spent", budget == null ? null : JsonReport.text(budget.spent()))
                .putEach("resources", ofResources, balance -> resource(balance, outlook));
    }

    private static JsonObject resource(QueueBalance balance, @Nullable QueueOutlook outlook) {
        List<JsonObject> steps = outlook == null
                ? List.of()
                : outlook.steps(balance.queue(), balance.resource()).stream()
                        .map(QueuesReport::step)
                        .toList();
        return new JsonObject()
                .put("resource", balance.resource())
                .put("guarantee", balance.guarantee())
                .put("limit", limit(balance.limit()))
                .put("used", balance.used())
                .put("promised", balance.promised())
                .put("borrowed", balance.borrowed())
                .put("lent", balance.lent())
                .put("entitled", balance.entitled())
                .put("sharePercent", rounded(share(balance)))
                .putIfAny("steps", steps);
    }

    private static JsonObject step(QueueOutlook.Step step) {
        return new JsonObject()
                .put("start", TimeText.instant(step.start()))
                .put("end", TimeText.instant(step.end()))
                .put("use", step.use())
                .put("guarantee", step.guarantee())
                .put("limit", limit(step.limit()));
    }

    private static @Nullable BigDecimal rounded(@Nullable Double share) {
        return share == null ? null : BigDecimal.valueOf(share).setScale(1, RoundingMode.HALF_UP);
    }

    /** Returns CSV with a heading. Unknown values are empty. */
    public String csv() {
        CsvText csv = new CsvText(
                "\n",
                "queue,level,resource,guarantee,limit,used,promised,borrowed,lent,entitled,share_percent,waiting,"
                        + "budget,spent");
        for (QueueBalance balance : balances) {
            QueueBudget budget = budgets.get(balance.queue());
            csv.row(
                    balance.queue(),
                    balance.level(),
                    balance.resource(),
                    balance.guarantee(),
                    limit(balance.limit()),
                    balance.used(),
                    balance.promised(),
                    balance.borrowed(),
                    balance.lent(),
                    balance.entitled(),
                    rounded(share(balance)),
                    waiting.getOrDefault(balance.queue(), 0),
                    budget == null ? null : budget.allotment(),
                    budget == null ? null : budget.spent());
        }
        return csv.toString();
    }
}
