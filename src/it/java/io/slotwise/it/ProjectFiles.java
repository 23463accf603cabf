package io.slotwise.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The paths of the project's files: its root, its logs, and the programs of the control plane. */
public final class ProjectFiles {

    private ProjectFiles() {}

    /**
     * The project's root: the system property {@code slotwise.root}, else the working directory or its nearest parent
     * with a pom.xml.
     */
    public static Path root() {
        String given = System.getProperty("slotwise.root");
        if (given != null) {
            return Path.of(given);
        }
        Path here = Path.of("").toAbsolutePath();
        for (Path folder = here; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("pom.xml")) && Files.exists(folder.resolve("src/it/control-plane"))) {
                return folder;
            }
        }
        throw new IllegalStateException("The folder (" + here + ") does not lie in the project of Slotwise.");
    }

    /** An empty folder for the logs of one control plane. The logs stay until the next run of the same name. */
    public static Path logs(String name) {
        Path folder = root().resolve("target/it-logs").resolve(name);
        try {
            Files.createDirectories(folder);
            try (Stream<Path> earlier = Files.list(folder)) {
                for (Path file : earlier.toList()) {
                    Files.delete(file);
                }
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The folder of the control plane's programs: the system property {@code slotwise.it.bin}, else the output of the
     * build script.
     */
    public static Path programs() {
        String given = System.getProperty("slotwise.it.bin");
        if (given != null && !given.isBlank()) {
            return Path.of(given);
        }
        return Build.PROGRAMS;
    }

    /** Runs the build once per JVM. Its progress goes to this JVM's standard error. */
    private static final class Build {
        static final Path PROGRAMS = run();

        private static Path run() {
            Path script = root().resolve("src/it/control-plane/build");
            try {
                Process build = new ProcessBuilder(script.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                String folder =
                        new String(build.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
                if (!build.waitFor(1, TimeUnit.MINUTES) || build.exitValue() != 0) {
                    throw new IllegalStateException("The control plane was not built; " + script + " says why.");
                }
                return Path.of(folder.strip());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the control plane was built.", e);
            }
        }
    }
}
