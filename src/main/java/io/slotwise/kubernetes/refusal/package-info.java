/**
 * What the API server refuses. Every call of a replica passes {@link RefusalInterceptor}; {@link RefusedCalls} decides
 * by what was refused before whether it is made. A caller sees the same failure either way, and does not tell it to an
 * admin: {@link RefusalLog} does, once. What is a refusal, and what an admin can do about it, is in {@link ApiRefusal};
 * {@link CallScope} has what is known of the calls of a namespace or of all, {@link CallPause} how long they wait.
 */
@NullMarked
package io.slotwise.kubernetes.refusal;

import org.jspecify.annotations.NullMarked;
