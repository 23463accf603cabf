/**
 * The laboratory: workloads in virtual time, the papers' experiments, and their reports. It uses the planner as the
 * server does, and the server does not use it.
 */
@NullMarked
package io.slotwise.lab;

import org.jspecify.annotations.NullMarked;
