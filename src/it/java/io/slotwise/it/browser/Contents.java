package io.slotwise.it.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A digest of a picture's contents, equal for the same contents in the same order. */
public final class Contents {
    private final MessageDigest digest;

    public Contents() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    public Contents and(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
        return this;
    }

    Contents andFiles(Path folder, Predicate<Path> counts) {
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> files = walk.filter(Files::isRegularFile)
                    .filter(file -> counts.test(folder.relativize(file)))
                    .sorted()
                    .toList();
            for (Path file : files) {
                and(folder.relativize(file).toString()).and(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("The files of a page (" + folder + ") cannot be read.", e);
        }
    }

    /** The digest in hexadecimal digits, after which nothing can be added. */
    public String digest() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
