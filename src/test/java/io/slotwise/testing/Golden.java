package io.slotwise.testing;

import static org.assertj.core.api.Assertions.assertThat;

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
     * Compares an output with the file that is kept of it, byte for byte, or writes that file where that is asked for.
     *
     * @param name of the file
     */
    public static void compare(String name, String output) throws IOException {
        Path file = FOLDER.resolve(name);
        if ("write".equals(System.getProperty("slotwise.golden"))) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, output);
        }
        assertThat(output).as("what %s has", file).isEqualTo(Files.readString(file));
    }
}
