package io.slotwise.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Real logs, traces and published results that are not part of the project. Their folder is the system property {@code
 * slotwise.data}, the environment variable {@code SLOTWISE_DATA}, or {@code ../shared/data}.
 */
public final class SharedData {
    private SharedData() {}

    public static Optional<Path> file(String path) {
        List<String> folders = new ArrayList<>();
        Optional.ofNullable(System.getProperty("slotwise.data")).ifPresent(folders::add);
        folders.add("../shared/data");
        Optional.ofNullable(System.getenv("SLOTWISE_DATA")).ifPresent(folders::add);
        return folders.stream()
                .map(folder -> Path.of(folder, path))
                .filter(Files::isReadable)
                .findFirst();
    }
}
