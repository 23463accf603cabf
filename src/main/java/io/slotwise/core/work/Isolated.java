package io.slotwise.core.work;

import io.slotwise.core.text.SafeText;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs work for one object among many, so that an error only affects this object. This is the last line of defence:
 * foreseen problems are values or refusals. It belongs where a loop over objects calls the work for each of them. The
 * caller that catches an error gives up what the work had taken.
 */
public final class Isolated {
    private static final String OURS = "io.slotwise.";

    private Isolated() {}

    /**
     * Returns the result of the work, or what {@code otherwise} makes of its error. Exhausted memory and other errors
     * of the machine pass through, as they are no object's fault. A stack overflow belongs to the object that is nested
     * so deeply.
     */
    public static <T> T get(Supplier<T> work, Function<Throwable, T> otherwise) {
        try {
            return work.get();
        } catch (RuntimeException | StackOverflowError error) {
            return otherwise.apply(error);
        }
    }

    /** Runs work without a result, and passes an error to {@code otherwise}. */
    public static void run(Runnable work, Consumer<Throwable> otherwise) {
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError error) {
            otherwise.accept(error);
        }
    }

    /** Returns an error in one line for any thread: its class, the line of Slotwise that threw it, its words. */
    public static String words(Throwable error) {
        Throwable first = error;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        String kind = first.getClass().getSimpleName();
        String detail = first.getMessage() == null ? "" : ": " + first.getMessage();
        return SafeText.value(Arrays.stream(first.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .findFirst()
                .map(frame -> "%s in %s.%s:%d%s"
                        .formatted(
                                kind,
                                frame.getClassName()
                                        .substring(frame.getClassName().lastIndexOf('.') + 1),
                                frame.getMethodName(),
                                frame.getLineNumber(),
                                detail))
                .orElse(kind + detail));
    }
}
