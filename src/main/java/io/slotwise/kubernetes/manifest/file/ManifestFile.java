package io.slotwise.kubernetes.manifest.file;

import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Files of Kubernetes objects: YAML with any number of documents, JSON, and lists from kubectl. Nodes, pods,
 * namespaces, advance reservations and ledgers are read. A Job or another {@linkplain
 * io.slotwise.kubernetes.manifest.workload workload} that was not read from a cluster stands for the pods that its
 * controller would create. Objects of other kinds are counted in a warning.
 */
public final class ManifestFile {
    private ManifestFile() {}

    /**
     * Reads texts and files. A list of a kind in a text contains all objects of the kind.
     *
     * @param files paths; {@code -} is the standard input
     * @param standardInput read at most once
     */
    public static ClusterObjects read(List<ManifestText> texts, List<String> files, InputStream standardInput) {
        ManifestReader reader = new ManifestReader();
        texts.forEach(text ->
                read(reader, new ByteArrayInputStream(text.text().getBytes(StandardCharsets.UTF_8)), text.name()));
        for (String file : files) {
            if (file.equals("-")) {
                read(reader, standardInput, "standard input");
            } else {
                read(reader, Path.of(file));
            }
        }
        return reader.objects();
    }

    public static ClusterObjects read(Path file) {
        ManifestReader reader = new ManifestReader();
        read(reader, file);
        return reader.objects();
    }

    /** Reads a text in UTF-8; {@code name} stands for it in messages. */
    public static ClusterObjects read(InputStream text, String name) {
        ManifestReader reader = new ManifestReader();
        read(reader, text, name);
        return reader.objects();
    }

    private static void read(ManifestReader reader, Path file) {
        if (Files.isDirectory(file)) {
            throw new InvalidManifest("%s: a directory: expected a file of Kubernetes objects".formatted(file));
        }
        try (InputStream stream = Files.newInputStream(file)) {
            read(reader, stream, file.toString());
        } catch (NoSuchFileException e) {
            throw new InvalidManifest("%s: no such file: expected a file of Kubernetes objects".formatted(file));
        } catch (IOException e) {
            throw new InvalidManifest("%s: cannot be read: %s".formatted(file, e.getMessage()));
        }
    }

    private static void read(ManifestReader reader, InputStream stream, String name) {
        try {
            reader.read(new BufferedInputStream(stream, 1 << 16), name);
        } catch (IOException e) {
            throw new InvalidManifest("%s: cannot be read: %s".formatted(name, e.getMessage()));
        }
    }
}
