package io.slotwise.it;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a kube-scheduler asks its extender.
 *
 * @param url without the verbs' prefix
 * @param keys the folder that its {@code tlsConfig} names; null: it asks a relay of the tests, in plain HTTP
 */
public record ExtenderPort(String url, @Nullable Path keys) {}
