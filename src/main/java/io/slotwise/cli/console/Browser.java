package io.slotwise.cli.console;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The user's browser on this machine. */
public final class Browser {
    private Browser() {}

    /** Opens a page, or prints why that failed. Does nothing without a screen. */
    public static void open(String url, PrintWriter err) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (!hasScreen(system, System.getenv())) {
            return;
        }
        try {
            new ProcessBuilder(command(system, url))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            err.println("slotwise: could not open a browser (%s)".formatted(e.getMessage()));
        }
    }

    /** Returns whether a page can be opened: without a screen the browser would take over the terminal. */
    static boolean hasScreen(String system, Map<String, String> environment) {
        return isMac(system)
                || isWindows(system)
                || environment.containsKey("DISPLAY")
                || environment.containsKey("WAYLAND_DISPLAY");
    }

    /** Returns the command that opens a page on a system of this name, in lower case. */
    static List<String> command(String system, String url) {
        return isMac(system)
                ? List.of("open", url)
                : isWindows(system)
                        ? List.of("rundll32", "url.dll,FileProtocolHandler", url)
                        : List.of("xdg-open", url);
    }

    private static boolean isMac(String system) {
        return system.contains("mac");
    }

    private static boolean isWindows(String system) {
        return system.contains("windows");
    }
}
