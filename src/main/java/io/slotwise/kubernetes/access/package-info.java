/**
 * Who a caller is and what they may do, as the API server says it: {@link io.slotwise.kubernetes.access.CallerReview}
 * (TokenReview, SubjectAccessReview); tokens of other issuers by {@link io.slotwise.kubernetes.access.OidcIssuer}.
 * Where no answer comes, nothing is allowed: {@link io.slotwise.kubernetes.access.ReviewFailed}.
 */
@NullMarked
package io.slotwise.kubernetes.access;

import org.jspecify.annotations.NullMarked;
