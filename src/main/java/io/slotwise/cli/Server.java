package io.slotwise.cli;

import java.util.Map;

/** What {@code serve} starts: the extender and its planning cycle. */
@FunctionalInterface
interface Server {
    /** Runs until the process is told to end. The properties take precedence over files and the environment. */
    void run(Map<String, String> properties);
}
