/**
 * What is answered over HTTP.
 *
 * <p>Who waits for whom is told by semaphores of the JDK: {@code Turn} here for questions that take the processors, {@code Access} for questions to the API server, {@code BoundedVirtualThreads} for calls. SmallRye Fault
 * Tolerance's bulkheads turn callers away at once or let them queue without an end when the method waits, know beans only, and these run without CDI as well, in {@code slotwise demo} and in tests; each is
 * a dozen lines. Calls to the API server are tried again by who knows what a call without an answer may have done (the barrier, the gate, the watches), as {@code RetryAfter} reads the answer, and never by an
 * annotation around them.
 */
@NullMarked
package io.slotwise.web;

import org.jspecify.annotations.NullMarked;
