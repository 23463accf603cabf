/**
 * Authentication and authorization of callers by the API server. {@link io.slotwise.kubernetes.access.CallerReview}
 * uses TokenReview and SubjectAccessReview, and {@link io.slotwise.kubernetes.access.OidcIssuer} verifies tokens of
 * another issuer. Without an answer nothing is allowed: {@link io.slotwise.kubernetes.access.ReviewFailed}.
 */
@NullMarked
package io.slotwise.kubernetes.access;

import org.jspecify.annotations.NullMarked;
