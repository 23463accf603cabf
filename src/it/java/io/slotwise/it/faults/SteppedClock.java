package io.slotwise.it.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The system's clock with a step in milliseconds from a file of eight bytes. Two processes that map the file see each
 * step at once.
 */
public final class SteppedClock implements InstantSource {
    private final InstantSource system = InstantSource.system();
    private final MappedByteBuffer step;

    /** Opens the clock of a file, which is created if missing. */
    public SteppedClock(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            step = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException("The file (" + file + ") of the clock cannot be mapped.", e);
        }
    }

    @Override
    public Instant instant() {
        return system.instant().plusMillis(step.getLong(0));
    }

    /** Sets how far the clock is ahead of the system's clock; negative if behind. */
    public void step(Duration ahead) {
        step.putLong(0, ahead.toMillis());
    }
}
