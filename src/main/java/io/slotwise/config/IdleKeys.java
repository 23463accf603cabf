package io.slotwise.config;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Policy keys that have no effect with certain values of other keys. */
final class IdleKeys {
    /**
     * A key, or all keys below it, that has no effect while each of some other keys has one of some values.
     *
     * @param expected the condition for an effect
     */
    private record Rule(String key, Map<String, Set<String>> idle, String expected) {
        Rule(String key, String other, Set<String> idle, String expected) {
            this(key, Map.of(other, idle), expected);
        }

        boolean isAbout(String full) {
            return full.equals(key) || full.startsWith(key + ".");
        }

        boolean holds(PolicyValues values) {
            return idle.entrySet().stream().allMatch(other -> other.getValue().contains(values.text(other.getKey())));
        }
    }

    private static final Set<String> ALL = Set.of("1", "1.0");
    private static final String CYCLIC = "study.cyclic-fraction";
    private static final String REACH = "running.migration.reach";
    private static final Set<String> NONE = Set.of("none");

    private static final List<Rule> RULES = List.of(
            new Rule("promises.improve", "promises.replan", Set.of("never", "free"), "`promises.replan: improve`"),
            new Rule("promises.slack", "promises.replan", Set.of("never", "free"), "`promises.replan: improve`"),
            new Rule(
                    "batch.max-value",
                    "batch.objective",
                    Set.of("user", "max-income", "min-cost", "min-processor-time", "max-processor-time"),
                    "`batch.objective: max-value`"),
            new Rule("queue.order", "study.order", Set.of("afcfs", "lgfs"), "`study.order: none`"),
            new Rule(
                    "queue.half-life",
                    Map.of("queue.order", Set.of("fifo", "priority", "value"), "queue.fair-by", Set.of("share")),
                    "`queue.order: fair` or `queue.fair-by: money`"),
            new Rule("gangs.runtime.quantile", "gangs.runtime.history", Set.of("0"), "a `history` of runs"),
            new Rule("gangs.runtime.fallback", "gangs.runtime.history", Set.of("0"), "a `history` of runs"),
            new Rule("running.migration.limit", REACH, NONE, "`running.migration.reach` local or external"),
            new Rule("running.migration.overhead", REACH, NONE, "`running.migration.reach` local or external"),
            new Rule(
                    "running.min-run",
                    Map.of(REACH, NONE, "queue.preemption", Set.of("none", "promised")),
                    "`queue.preemption: running`, or `running.migration.reach` local or external"),
            new Rule("buying", "buying.mode", NONE, "`buying.mode` plan or buy"),
            new Rule("study.backfill", CYCLIC, ALL, "`study.cyclic-fraction` below 1, or `preset: easy`"),
            new Rule("study.cyclic-choice", CYCLIC, ALL, "`study.cyclic-fraction` below 1"),
            new Rule(
                    "study.anticipation-criteria",
                    "study.anticipation",
                    NONE,
                    "`study.anticipation` linear or geometric"));

    private IdleKeys() {}

    /** Refuses a policy's own keys that are not at their default and have no effect, given valid values of all keys. */
    static void refuse(Map<String, PolicyValue> own, PolicyValues values) {
        Map<String, PolicyValue> usual = Preset.DEFAULT.policy().whole();
        own.forEach((key, value) -> {
            PolicyValue standardValue = usual.get(key);
            if (value.form() != PolicyValue.Form.MAPPING && !values.means(key, value, standardValue)) {
                RULES.stream()
                        .filter(rule -> rule.isAbout(key) && rule.holds(values))
                        .findFirst()
                        .ifPresent(rule -> {
                            throw new InvalidInput("%s: `%s` (%s) has no effect: expected %s"
                                    .formatted(value.place(), key, value.text(), rule.expected()));
                        });
            }
        });
    }
}
