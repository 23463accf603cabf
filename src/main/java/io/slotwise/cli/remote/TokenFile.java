package io.slotwise.cli.remote;

import io.slotwise.config.InvalidInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A token of the cluster, and the file from which it was read. */
public record TokenFile(Path file, String token) {
    static TokenFile read(Path file) {
        String token;
        try {
            token = Files.readString(file).strip();
        } catch (IOException e) {
            throw new InvalidInput("--token-file (%s) cannot be read: %s".formatted(file, e));
        }
        if (!token.matches("[\\x21-\\x7e]+")) {
            throw new InvalidInput(
                    "--token-file (%s) has no token; expected one line, such as the output of `kubectl create token`"
                            .formatted(file));
        }
        return new TokenFile(file, token);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
