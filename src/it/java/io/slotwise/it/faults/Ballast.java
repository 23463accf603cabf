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
 * Fills the heap of the program under test, as an agent of its JVM, until so many bytes are left as a file of eight
 * bytes says; 0: as many as there are.
 */
public final class Ballast {
    private static final int PIECE = 1 << 20;
    private static final long LOOK_MILLIS = 50;

    private final MappedByteBuffer left;
    private final Deque<byte[]> pieces = new ArrayDeque<>();

    /** The ballast of a file, which is made if need be. */
    public Ballast(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            left = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException("The file (" + file + ") of the ballast cannot be mapped.", e);
        }
    }

    /** Called by the JVM before the program. */
    public static void premain(String file) {
        Ballast ballast = new Ballast(Path.of(file));
        Thread.ofPlatform().daemon().name("ballast").start(ballast::look);
    }

    /** So many bytes are left to the program from now on; 0: all. */
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

    /** Writes the agent's archive into a folder and returns the option of a JVM that is to have it. */
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
