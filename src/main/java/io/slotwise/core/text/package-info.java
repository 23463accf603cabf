/**
 * Texts for users, as values. A {@link io.slotwise.core.text.ReasonStatement} about a gang is redacted before it
 * becomes a sentence. {@link io.slotwise.core.text.SafeText} makes foreign text safe to show. {@link
 * io.slotwise.core.text.Suggestion} guesses the meaning of a mistyped word.
 */
@NullMarked
package io.slotwise.core.text;

import org.jspecify.annotations.NullMarked;
