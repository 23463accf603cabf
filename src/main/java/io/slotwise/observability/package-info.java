/**
 * Metrics, health and the log. {@link io.slotwise.observability.Meters} counts events, {@link
 * io.slotwise.observability.ClusterGauges} shows the cluster as the leader sees it, and {@link
 * io.slotwise.observability.MoneyMeters} counts money, all by their public names. The checks report liveness and
 * readiness. {@link io.slotwise.observability.LogSanitizer} keeps each record in one line. A new metric is a meter here
 * and a row of docs and dashboard, which tests compare.
 */
@NullMarked
package io.slotwise.observability;

import org.jspecify.annotations.NullMarked;
