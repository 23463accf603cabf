package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The answer of {@code bind}.
 *
 * @param error why the pod is not bound; empty if it is
 */
public record ExtenderBindingResult(@JsonProperty("Error") String error) {}
