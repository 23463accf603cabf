package io.slotwise.lab.experiment;

import java.util.List;

/**
 * What follows from all replications.
 *
 * @param figures of the paper, with our numbers
 * @param findings of the paper, and whether they hold
 */
public record Conclusion(List<Figure> figures, List<Finding> findings) {
    public Conclusion {
        figures = List.copyOf(figures);
        findings = List.copyOf(findings);
    }
}
