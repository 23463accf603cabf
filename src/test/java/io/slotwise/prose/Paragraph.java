package io.slotwise.prose;

/**
 * A paragraph, item of a list or cell of a table, in one line. {@code Code}, {@code Quote} and {@code Cost} stand for
 * code, quotations and O(...).
 *
 * @param line the line in which it begins, or in which its comment begins
 * @param opening whether it begins a comment, tags apart
 * @param length the characters that a reader of the document sees
 */
record Paragraph(Kind kind, int line, String text, boolean opening, int length) {
    /** The places of paragraphs. */
    enum Kind {
        JAVADOC,
        COMMENT,
        DOCUMENT,
        /** A cell of a table in a document. */
        CELL
    }
}
