package io.slotwise.it;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The address at which a kube-scheduler calls its extender.
 *
 * @param url without the verbs' prefix
 * @param keys the folder that its {@code tlsConfig} names, or null for plain HTTP to a relay of the tests
 */
public record ExtenderPort(String url, @Nullable Path keys) {}
