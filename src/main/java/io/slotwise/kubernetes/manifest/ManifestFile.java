package io.slotwise.kubernetes.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/** Files of Kubernetes objects: YAML with any number of documents, JSON, and lists such as kubectl prints. */
public final class ManifestFile {
    private ManifestFile() {}

    /** All objects of the files; {@code -} is the standard input that is handed in. */
    public static ClusterObjects read(List<String> files, InputStream standardInput) {
        return ClusterObjects.NONE;
    }

    /** All objects of one file. */
    public static ClusterObjects read(Path file) {
        return ClusterObjects.NONE;
    }

    /** All objects of a text in UTF-8; {@code name} stands for it in messages. */
    public static ClusterObjects read(InputStream text, String name) throws IOException {
        return ClusterObjects.NONE;
    }
}
