/**
 * Metrics, health and the log: {@link io.slotwise.observability.Meters} counts what happens, {@link
 * io.slotwise.observability.ClusterGauges} shows the cluster as the leader sees it and {@link
 * io.slotwise.observability.MoneyMeters} counts money, all by their public names; the checks say
 * whether a replica is alive and ready, {@link io.slotwise.observability.LogSanitizer} keeps a record in
 * one line. A new metric is a meter here and a row of docs and dashboard, which tests compare.
 */
@NullMarked
package io.slotwise.observability;

import org.jspecify.annotations.NullMarked;
