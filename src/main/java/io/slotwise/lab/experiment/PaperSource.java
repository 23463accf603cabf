package io.slotwise.lab.experiment;

/**
 * A place in a paper.
 *
 * @param authors with initials
 * @param title of the paper
 * @param year of publication
 * @param place sections, figures and tables
 */
public record PaperSource(String authors, String title, int year, String place) {
    /** The same paper, another place. */
    public PaperSource at(String other) {
        return new PaperSource(authors, title, year, other);
    }

    @Override
    public String toString() {
        return "%s, \"%s\" (%d), %s".formatted(authors, title, year, place);
    }
}
