package io.slotwise.cli.remote;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.time.Durations;
import io.slotwise.report.Explanation.AdviceLine;
import io.slotwise.report.Explanation.DomainLines;
import io.slotwise.report.QueueReport.PhaseWord;
import io.slotwise.report.Terminal;
import io.slotwise.web.GangAnswer;
import io.slotwise.web.GangAnswer.MovedAnswer;
import io.slotwise.web.GangAnswer.PurchaseAnswer;
import io.slotwise.web.GangAnswer.RuntimeAnswer;
import io.slotwise.web.GangAnswer.WindowAnswer;
import io.slotwise.web.PlannerAnswer.AdviceAnswer;
import io.slotwise.web.PlannerAnswer.AlternativeAnswer;
import io.slotwise.web.PlannerAnswer.ChoiceAnswer;
import io.slotwise.web.PlannerAnswer.DomainAnswer;
import io.slotwise.web.PlannerAnswer.DomainsAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answer about one gang as text. */
public final class WhyText {
    private static final int MOST_ALTERNATIVES = 10;

    private final Terminal terminal;
    private final Currency currency;

    private WhyText(Terminal terminal, Currency currency) {
        this.terminal = terminal;
        this.currency = currency;
    }

    public static String of(GangAnswer answer, Terminal terminal) {
        String name = answer.currency();
        return new WhyText(terminal, name == null || !Currency.isOne(name) ? Currency.NONE : new Currency(name))
                .text(answer);
    }

    private String text(GangAnswer answer) {
        List<String> lines = new ArrayList<>();
        lines.add("%s is %s: %s.".formatted(terminal.bold(answer.gang()), PhaseWord.of(answer.phase()), what(answer)));
        if (answer.key() != null) {
            lines.add("Reason: %s (%s).".formatted(answer.reason(), answer.key()));
        }
        WindowAnswer window = answer.window();
        if (window != null) {
            window(lines, answer, window);
        }
        if (answer.queue() != null) {
            lines.add(
                    answer.position() == null
                            ? "It is in queue %s.".formatted(answer.queue())
                            : "It is number %d in queue %s.".formatted(answer.position(), answer.queue()));
        }
        purchases(lines, answer);
        runtime(lines, answer.runtime());
        MovedAnswer moved = answer.moved();
        if (moved != null) {
            lines.add("It was moved %d %s, had %s of work left then and has paid %s so far."
                    .formatted(
                            moved.times(),
                            moved.times() == 1 ? "time" : "times",
                            Durations.brief(moved.workSeconds()),
                            brief(moved.spent())));
        }
        if (!answer.avoided().isEmpty()) {
            lines.add("Nodes that refused it recently: " + String.join(", ", answer.avoided()) + ".");
        }
        ChoiceAnswer choice = answer.choice();
        if (choice != null) {
            choice(lines, choice);
        }
        DomainsAnswer domains = answer.domains();
        if (domains != null) {
            domains(lines, domains);
        }
        List<AdviceAnswer> advice = answer.advice();
        if (advice != null) {
            if (window != null && !advice.isEmpty()) {
                lines.add(AdviceLine.heading(advice.stream()
                        .allMatch(adviceAnswer ->
                                Instant.parse(adviceAnswer.start()).isBefore(Instant.parse(window.start())))));
            }
            advice.forEach(adviceAnswer -> lines.add(adviceAnswer.message()));
        }
        if (answer.hint() != null) {
            lines.add(answer.hint());
        }
        return lines.stream()
                .flatMap(line -> terminal.lines(line).stream())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Adds the nodes that are bought, or could be. */
    private void purchases(List<String> lines, GangAnswer answer) {
        for (PurchaseAnswer purchase : answer.purchases()) {
            lines.add("  %s (%s): %s at %s, %s at %s, for %s"
                    .formatted(
                            purchase.node(),
                            purchase.offer(),
                            "planned".equals(purchase.state()) ? "to be bought" : "bought",
                            purchase.boughtAt(),
                            "bought".equals(purchase.state()) ? "there, expected" : "expected",
                            purchase.readyAt(),
                            brief(purchase.bill())));
        }
        if (answer.buying() != null) {
            lines.add(answer.buying().message() + ".");
        }
    }

    private static void runtime(List<String> lines, @Nullable RuntimeAnswer runtime) {
        if (runtime != null && runtime.message() != null) {
            lines.add("Its runtime is " + runtime.message() + ".");
        } else if (runtime != null && runtime.source().equals("default")) {
            lines.add("Its runtime is the policy's default, %s: there is no history of earlier runs."
                    .formatted(Durations.brief(runtime.seconds())));
        }
        if (runtime != null && runtime.hint() != null) {
            lines.add(runtime.hint());
        }
    }

    /** Returns why the gang waits, in the words of its events, or its next step if it has a window. */
    private static String what(GangAnswer answer) {
        return answer.window() == null ? answer.message() : answer.next();
    }

    private void window(List<String> lines, GangAnswer answer, WindowAnswer window) {
        lines.add("Its window is from %s to %s and costs %s%s."
                .formatted(
                        window.start(),
                        window.end(),
                        brief(window.cost()),
                        answer.budget() == null ? "; it has no budget" : " of a budget of " + brief(answer.budget())));
        if (answer.promisedBy() != null) {
            lines.add("This is the expected start; the promised latest start is %s.".formatted(answer.promisedBy()));
        }
        if (!answer.after().isEmpty()) {
            lines.add("It starts after %s.".formatted(String.join(", ", answer.after())));
        }
        if (answer.valueOfTime() != null && answer.delayValue() != null) {
            lines.add("An earlier end is worth %s an hour%s to it: its delay until then counts as %s."
                    .formatted(
                            brief(answer.valueOfTime()),
                            answer.valueUntil() == null ? "" : " until " + answer.valueUntil(),
                            brief(answer.delayValue())));
        }
        if (answer.preferred() != null) {
            lines.add(answer.preferred().message());
        }
        if (answer.criterion() != null && answer.domains() == null) {
            lines.add("Its criterion is %s.".formatted(answer.criterion()));
        }
        TreeMap<String, Integer> nodes = new TreeMap<>();
        window.placement().forEach(place -> nodes.merge(place.node(), 1, Integer::sum));
        nodes.forEach((node, pods) -> lines.add("  %s: %d %s".formatted(node, pods, pods == 1 ? "pod" : "pods")));
    }

    private void choice(List<String> lines, ChoiceAnswer choice) {
        List<AlternativeAnswer> windows = choice.alternatives();
        lines.add("%d %s found, best first (loss of utility of the chosen one %s %%): %s."
                .formatted(
                        windows.size(),
                        windows.size() == 1 ? "alternative was" : "alternatives were",
                        choice.lossPercent(),
                        choice.why()));
        for (int i = 0; i < windows.size(); i++) {
            AlternativeAnswer answer = windows.get(i);
            if (i < MOST_ALTERNATIVES || answer.chosen()) {
                lines.add("  %s%d. from %s to %s for %s"
                        .formatted(
                                answer.chosen() ? "> " : "",
                                i + 1,
                                answer.start(),
                                answer.end(),
                                brief(answer.cost())));
            }
        }
        if (windows.size() > MOST_ALTERNATIVES) {
            lines.add("  and %d more".formatted(windows.size() - MOST_ALTERNATIVES));
        }
    }

    private void domains(List<String> lines, DomainsAnswer domains) {
        lines.add(("Its mode is %s; TOPSIS compared these resource domains with the weights time %s, cost "
                        + "%s and fragmentation %s, the lowest C is best:")
                .formatted(
                        domains.mode(),
                        DomainLines.figure(domains.weights().time()),
                        DomainLines.figure(domains.weights().cost()),
                        DomainLines.figure(domains.weights().fragmentation())));
        for (int i = 0; i < domains.compared().size(); i++) {
            DomainAnswer answer = domains.compared().get(i);
            lines.add("  %s%d. %s: from %s to %s for %s, time %s, room for %d more, distance %s, C %s"
                    .formatted(
                            i == 0 ? "> " : "",
                            i + 1,
                            DomainLines.name(answer.domain()),
                            answer.start(),
                            answer.end(),
                            brief(answer.cost()),
                            Durations.brief(answer.timeSeconds()),
                            answer.morePods(),
                            DomainLines.figure(answer.distance()),
                            DomainLines.figure(answer.closeness())));
        }
        domains.leftOut()
                .forEach(
                        out -> lines.add("  %s was left out: %s".formatted(DomainLines.name(out.domain()), out.why())));
    }

    private String brief(@Nullable String money) {
        return money == null ? "-" : currency.of(Cost.read(money));
    }
}
