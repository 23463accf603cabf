package io.slotwise.kubernetes.manifest.file;

/** Kubernetes objects as YAML or JSON. The name identifies the text in messages. */
public record ManifestText(String name, String text) {}
