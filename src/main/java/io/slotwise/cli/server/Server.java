package io.slotwise.cli.server;

import java.util.Map;

/** The server of {@code serve} and {@code demo}: the planning loop and everything that answers over HTTP. */
@FunctionalInterface
public interface Server {
    /** Runs until the process is told to end. The properties take precedence over files and the environment. */
    void run(Map<String, String> properties);
}
