/**
 * Who may look. Every call of board, API and metrics passes {@link io.slotwise.web.access.AccessFilter}, which leaves a
 * {@link io.slotwise.web.access.CallerAccess} with it: what the caller may see. An endpoint that finds none refuses.
 *
 * <pre>
 *  Authorization, Slotwise-Authorization or the cookie slotwise-session
 *    -> AccessFilter: TokenReview -> Sight: SubjectAccessReview -> Lens: the namespaces that an answer is limited to
 * </pre>
 */
@NullMarked
package io.slotwise.web.access;

import org.jspecify.annotations.NullMarked;
