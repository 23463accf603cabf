package io.slotwise.it.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * An agent that fills the heap of the program under test, until as many bytes are left as a file of eight bytes says. 0
 * leaves all.
 */
public final class Ballast {
    private static final int PIECE = 1 << 20;
    private static final long LOOK_MILLIS = 50;

    private final MappedByteBuffer left;
    private final Deque<byte[]> pieces = new ArrayDeque<>();

    /** Opens the ballast of a file, which is created if missing. */
    public Ballast(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            left = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException("The file (" + file + ") of the ballast cannot be mapped.", e);
        }
    }

    public static void premain(String file) {
        Ballast ballast = new Ballast(Path.of(file));
        Thread.ofPlatform().daemon().name("ballast").start(ballast::look);
    }

    /** Leaves this many bytes to the program from now on. 0 leaves all. */
    public void leave(long bytes) {
        left.putLong(0, bytes);
    }

    private void look() {
        while (true) {
            long wanted = left.getLong(0);
            Runtime runtime = Runtime.getRuntime();
            long free = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
            if (wanted == 0) {
                pieces.clear();
            } else if (free > wanted + PIECE) {
                pieces.add(new byte[PIECE]);
                continue;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }

    /** Writes the agent's archive into a folder, and returns the JVM option for it. */
    public static String option(Path folder, Path file) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", Ballast.class.getName());
        Path archive = folder.resolve("ballast-agent.jar");
        String entry = Ballast.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(archive), manifest);
                InputStream in =
                        Objects.requireNonNull(Ballast.class.getClassLoader().getResourceAsStream(entry), entry)) {
            jar.putNextEntry(new JarEntry(entry));
            in.transferTo(jar);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "-javaagent:" + archive + "=" + file;
    }
}
