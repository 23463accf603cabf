package io.slotwise.lab.workload.log;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** A text that can be read repeatedly. It is plain or gzip, which its first two bytes tell. */
public final class TextSource {
    private static final int BUFFER = 1 << 16;
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    private final String name;
    private final Opening opening;

    private TextSource(String name, Opening opening) {
        this.name = name;
        this.opening = opening;
    }

    @FunctionalInterface
    private interface Opening {
        InputStream open() throws IOException;
    }

    public static TextSource file(Path file) {
        return new TextSource(file.toString(), () -> {
            if (Files.isDirectory(file)) {
                throw new FileSystemException(file.toString(), null, "a directory");
            }
            return Files.newInputStream(file);
        });
    }

    /** Returns a text that is no file. Every call of {@code text} must open it from the beginning. */
    public static TextSource of(String name, Supplier<InputStream> text) {
        return new TextSource(name, text::get);
    }

    public String name() {
        return name;
    }

    public BufferedReader open() {
        try {
            return opened();
        } catch (EOFException | ZipException e) {
            throw new MalformedWorkload(name, "the compressed text is damaged; expected a whole gzip file");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private BufferedReader opened() throws IOException {
        InputStream bytes = opening.open();
        try {
            return new BufferedReader(new InputStreamReader(plain(bytes), StandardCharsets.UTF_8), BUFFER);
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    private static InputStream plain(InputStream bytes) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(bytes, BUFFER);
        buffered.mark(2);
        boolean compressed = buffered.read() == GZIP_FIRST && buffered.read() == GZIP_SECOND;
        buffered.reset();
        return compressed ? new GZIPInputStream(buffered, BUFFER) : buffered;
    }
}
