/**
 * What is told, as values: {@link io.slotwise.core.text.ReasonStatement} is something said of a gang that is redacted
 * before it becomes a sentence, {@link io.slotwise.core.text.SafeText} makes what others wrote safe to show, {@link
 * io.slotwise.core.text.Suggestion} guesses what a mistyped word meant.
 */
@NullMarked
package io.slotwise.core.text;

import org.jspecify.annotations.NullMarked;
