package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Anticipating;
import io.slotwise.core.plan.Policy.Online;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.random.SeededRandom;
import io.slotwise.testing.Golden;
import io.slotwise.testing.RandomClusters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Some thousand plans whose windows, reasons with figures, broken promises, choices and moves must not change (their
 * words may). The plans are streams of changes under random policies, with accounts, anticipation, online modes,
 * displacement and migration. One line has the digest of ten seeds.
 */
class GoldenPlansTest {
    private static final int SEEDS = 10;
    private static final int EVENTS = 20;

    @Test
    void plansOfStreamsAreTheSame() throws IOException {
        String plans = digests(60, GoldenPlansTest::stream);

        assertThat(plans).isEqualTo(Golden.kept("plans-of-streams.txt", plans));
    }

    @Test
    void plansWithDisplacedGangsAreTheSame() throws IOException {
        String plans =
                digests(300, seed -> told(RandomPreemptionTest.random(seed).plan()));

        assertThat(plans).isEqualTo(Golden.kept("plans-with-preemption.txt", plans));
    }

    @Test
    void plansWithMovesAreTheSame() throws IOException {
        String plans =
                digests(300, seed -> told(RandomMigrationTest.random(seed).plan()));

        assertThat(plans).isEqualTo(Golden.kept("plans-with-moves.txt", plans));
    }

    private static String digests(int seeds, IntFunction<String> plans) {
        StringBuilder lines = new StringBuilder();
        for (int first = 0; first < seeds; first += SEEDS) {
            StringBuilder some = new StringBuilder();
            for (int seed = first; seed < first + SEEDS; seed++) {
                some.append(plans.apply(seed));
            }
            lines.append("seeds %d to %d: %s\n".formatted(first, first + SEEDS - 1, digest(some.toString())));
        }
        return lines.toString();
    }

    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String stream(int seed) {
        Policy policy = policy(seed);
        Planner planner = new Planner(policy, CommonPoolWorkers.ALL, SeededRandom.L64X128);
        PlanStream stream = new PlanStream(seed);
        StringBuilder plans = new StringBuilder();
        for (int i = 0; i < EVENTS; i++) {
            Snapshot snapshot = stream.snapshot();
            Plan plan = planner.plan(seed % 3 == 0 ? snapshot.withAccounts(accounts(seed)) : snapshot);
            plans.append(told(plan));
            stream.goOn(plan);
        }
        return plans.toString();
    }

    private static Policy policy(int seed) {
        Policy drawn = PlanStream.policy(ExactSearchTest.seeded(1_000 + seed));
        return switch (seed % 6) {
            case 1 -> drawn.replan() == Replan.IMPROVE ? drawn.withSlack(new PromiseSlack(200_000, 100_000, 5)) : drawn;
            case 2 ->
                drawn.withBatch(
                        drawn.batch().withAnticipating(new Anticipating(Form.LINEAR, Anticipating.NOT.criteria())));
            case 4 -> drawn.withOnline(new Online(Manner.EMCT, CriterionWeights.DEFAULT, "zone"));
            default -> drawn;
        };
    }

    private static List<Account> accounts(int seed) {
        long middle = RandomClusters.NOW + RandomClusters.SPAN / 2;
        return List.of(
                new Account("user", RandomClusters.NOW, middle, Cost.of(new Money(20_000 + 5_000L * seed))),
                new Account("user", middle, Interval.FOREVER, Cost.of(new Money(40_000))));
    }

    private static String told(Plan plan) {
        StringBuilder all = new StringBuilder();
        plan.windows()
                .forEach(one -> all.append(
                        "%s %s %s %s\n".formatted(one.origin(), one.kept(), bound(one.bound()), one.window())));
        plan.pending()
                .forEach(one -> all.append("%s %s %s\n"
                        .formatted(
                                one.gang(), one.refusal().key(), one.refusal().figures())));
        plan.broken().forEach(one -> all.append("%s %s %s\n".formatted(one.gang(), one.cause(), one.window())));
        plan.choices().forEach(one -> all.append(one.gang()).append('\n'));
        plan.moves()
                .forEach(one ->
                        all.append("%s %s %s\n".formatted(one.gang().id(), started(one.targetWindow()), one.reach())));
        plan.domains().forEach(one -> all.append("%s %s\n".formatted(one.gang(), one.window())));
        return all.toString();
    }

    private static String bound(@Nullable PromiseBound by) {
        return by == null ? "" : "by %d %d %s".formatted(by.start(), by.end(), by.cost());
    }

    private static String started(@Nullable Window window) {
        return String.valueOf(window);
    }
}
