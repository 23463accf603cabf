package io.slotwise.lab.workload;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A folder of logs that are not part of the program. The path is null if there is none. */
public record LogFolder(@Nullable Path path) {
    public static final LogFolder NONE = new LogFolder(null);

    /** Returns the file if it is readable. */
    public Optional<Path> file(String name) {
        return Optional.ofNullable(path)
                .map(folder -> folder.resolve(name))
                .filter(Files::isReadable)
                .filter(Files::isRegularFile);
    }
}
