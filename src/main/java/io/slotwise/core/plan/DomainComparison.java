package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.DomainChoice.Compared;
import io.slotwise.core.online.OnlineMode;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.window.Window;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Explains how the resource domain of a gang in an online mode was chosen.
 *
 * @param compared TOPSIS' table, best first: the first domain has the gang's window
 * @param leftOut the other domains, by name
 */
public record DomainComparison(
        GangId gang, OnlineMode mode, CriterionWeights weights, List<Compared> compared, List<LeftOut> leftOut) {
    /** A domain that was not compared. An empty name stands for the nodes without the label. */
    public record LeftOut(String domain, Why why) {}

    /** The reason why a domain was not compared. */
    public enum Why implements Keyed {
        /** No window in the domain fits the gang and its namespace's money. */
        NO_WINDOW("it has no window that fits the gang and its budget"),
        /** There is input to transfer, and the transfer time is unknown. */
        NO_BANDWIDTH("the transfer time of the input is unknown, because no node states slotwise.io/domain-bandwidth");

        private final String words;

        Why(String words) {
            this.words = words;
        }

        /** Returns the reason in words, without a full stop. */
        public String words() {
            return words;
        }
    }

    public DomainComparison {
        compared = List.copyOf(compared);
        leftOut = List.copyOf(leftOut);
    }

    /** Returns the comparisons of gangs that have the window chosen for them, by gang. O(n log n). */
    public static List<DomainComparison> inForce(List<DomainComparison> all, List<Planned> windows) {
        Map<GangId, Window> held = windows.stream()
                .collect(Collectors.toMap(planned -> planned.gang().id(), Planned::window));
        return all.stream()
                .filter(domain -> domain.window().equals(held.get(domain.gang())))
                .sorted(Comparator.comparing(DomainComparison::gang))
                .toList();
    }

    public Window window() {
        return compared.getFirst().window();
    }
}
