/**
 * Refusals of the API server. Every call of a replica passes {@link RefusalInterceptor}, and {@link RefusedCalls}
 * decides by earlier refusals whether it is made. The caller sees the same failure either way, and does not report it.
 * {@link RefusalLog} reports it to an admin once. {@link ApiRefusal} defines refusals and their remedies. {@link
 * CallScope} has the state of the calls of a namespace or of all, and {@link CallPause} their pauses.
 */
@NullMarked
package io.slotwise.kubernetes.refusal;

import org.jspecify.annotations.NullMarked;
