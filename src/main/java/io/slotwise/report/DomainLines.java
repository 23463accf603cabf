package io.slotwise.report;

import io.slotwise.core.money.Currency;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.DomainChoice.Compared;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.DomainComparison.LeftOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** TOPSIS' table of one gang as text: each domain with its figures, and those that were left out. */
public final class DomainLines {
    private DomainLines() {}

    /** The lines, the best domain first. */
    static List<String> of(DomainComparison domains, Currency currency) {
        CriterionWeights weights = domains.weights();
        List<String> lines = new ArrayList<>();
        lines.add(("Its mode is %s; TOPSIS compared %d %s with the weights time %s, cost %s and "
                        + "fragmentation %s, the lowest C is best:")
                .formatted(
                        domains.mode().key(),
                        domains.compared().size(),
                        domains.compared().size() == 1 ? "resource domain" : "resource domains",
                        figure(weights.time()),
                        figure(weights.cost()),
                        figure(weights.fragmentation())));
        for (int i = 0; i < domains.compared().size(); i++) {
            Compared row = domains.compared().get(i);
            lines.add("  %s%d. %s: start %s, time %s%s, cost %s, room for %d more, distance %s, C %s"
                    .formatted(
                            i == 0 ? "> " : "",
                            i + 1,
                            name(row.domain()),
                            TimeText.instant(row.window().start()),
                            TimeText.duration(row.time()),
                            row.transfer() == 0
                                    ? ""
                                    : " (of it %s for its input)".formatted(TimeText.duration(row.transfer())),
                            currency.of(row.window().cost().roundedUp()),
                            row.free(),
                            figure(row.distance()),
                            figure(row.closeness())));
        }
        for (LeftOut out : domains.leftOut()) {
            lines.add("  %s was left out: %s"
                    .formatted(name(out.domain()), out.why().words()));
        }
        return lines;
    }

    /** What people call a domain. */
    public static String name(String domain) {
        return domain.isEmpty() ? "(no label)" : domain;
    }

    /** A weight, a distance or C with three decimals. */
    public static String figure(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
