package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Output that is shown once or, with {@code --watch}, again after each change. */
final class Watched extends CommonOptions {
    private static final String WATCH = "--watch";
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final String CLEAR = "\u001b[H\u001b[2J";

    private final CommandConsole console;
    private final Pause pause;

    @FunctionalInterface
    interface Pause {
        /** Two seconds, until the program is interrupted. */
        Pause USUAL = () -> {
            LockSupport.parkNanos(PAUSE.toNanos());
            return !Thread.currentThread().isInterrupted();
        };

        boolean again();
    }

    /** An output; {@code what} is compared with the previous one, and excludes the time, which always changes. */
    record Look(Object what, String text) {}

    Watched(CommandConsole console, CommandSpec spec, Pause pause) {
        super(spec);
        this.console = console;
        this.pause = pause;
        spec.addOption(OptionSpec.builder("-w", WATCH)
                .type(boolean.class)
                .description("Show them again after each change, until interrupted.")
                .build());
    }

    /** Shows the outputs. A watched screen is cleared first. */
    void show(Supplier<Look> looks) {
        boolean watch = has(WATCH);
        Object shown = print(null, looks.get(), watch);
        while (watch && pause.again()) {
            shown = print(shown, looks.get(), true);
        }
    }

    private Object print(@Nullable Object before, Look look, boolean watched) {
        if (!look.what().equals(before)) {
            if (watched && console.terminal().colour()) {
                console.out().print(CLEAR);
            }
            console.out().print(look.text());
            console.out().flush();
        }
        return look.what();
    }
}
