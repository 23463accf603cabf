/**
 * Access control. Every call of board, API and metrics passes {@link io.slotwise.web.access.AccessFilter}, which
 * attaches a {@link io.slotwise.web.access.CallerAccess}. An endpoint refuses a call without one.
 * <pre>
 *  Authorization, Slotwise-Authorization or the cookie slotwise-session
 *    -> AccessFilter: TokenReview -> CallerAccess: SubjectAccessReview -> NamespaceScope: the visible namespaces
 * </pre>
 */
@NullMarked
package io.slotwise.web.access;

import org.jspecify.annotations.NullMarked;
