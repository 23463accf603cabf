package io.slotwise.lab.experiment;

import java.util.List;

/** The results of all replications. */
public record Conclusion(List<Figure> figures, List<Finding> findings) {
    public Conclusion {
        figures = List.copyOf(figures);
        findings = List.copyOf(findings);
    }
}
