package io.slotwise.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Outputs that are kept as files, so that a change that is to change nothing can show that it does not. A change that
 * is to change them writes them anew with {@code mvn test -Dtest='Golden*Test' -Dslotwise.golden=write}, and their
 * difference is looked at like any other.
 */
public final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    private Golden() {}

    /**
     * What is kept of an output; where that is asked for, the output itself is kept from now on.
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
