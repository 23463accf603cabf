/**
 * The linter of the project's prose: comments of the sources and documents in Markdown.
 *
 * <p>{@link JavaProse} and {@link MarkdownProse} take the paragraphs out of a file, without code, quotations and
 * formulas. {@link ProseRules} finds in a paragraph what makes a text hard to read, and says what to write instead.
 * {@link ProseTest} holds all texts to the rules and has an example of each. Words are added in {@code words.tsv} of
 * {@code src/test/resources/prose}, exceptions with their reasons in {@code exceptions.tsv} next to it.
 */
@NullMarked
package io.slotwise.prose;

import org.jspecify.annotations.NullMarked;
