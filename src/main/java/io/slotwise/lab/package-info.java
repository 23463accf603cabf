/**
 * The laboratory: workloads in virtual time, the papers' experiments, and what is shown of them. It uses the planner as
 * the server does; nothing of the server uses it.
 */
@NullMarked
package io.slotwise.lab;

import org.jspecify.annotations.NullMarked;
