package io.slotwise.cli.console;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The browser of the user at this machine. */
public final class Browser {
    private Browser() {}

    /** Shows a page, or says why not. Does nothing where there is no screen. */
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

    /** Whether a page can be shown; a browser without a screen would take the terminal. */
    static boolean hasScreen(String system, Map<String, String> environment) {
        return isMac(system)
                || isWindows(system)
                || environment.containsKey("DISPLAY")
                || environment.containsKey("WAYLAND_DISPLAY");
    }

    /** The command that shows a page on a system of this name, in lower case. */
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
