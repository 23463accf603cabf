package io.slotwise.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Outputs that are kept as files. A change that should not alter them proves it here. A change that should alter them
 * writes the files again with {@code mvn test -Dtest='Golden*Test' -Dslotwise.golden=write}, and their difference is
 * reviewed.
 */
public final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    private Golden() {}

    /**
     * Returns the kept text of an output. With {@code -Dslotwise.golden=write} the given output is kept from now on.
     *
     * @param name of the file
     */
    public static String kept(String name, String output) throws IOException {
        Path file = FOLDER.resolve(name);
        if ("write".equals(System.getProperty("slotwise.golden"))) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, output);
        }
        return Files.readString(file);
    }
}
