package io.slotwise.kubernetes.manifest.file;

/** Kubernetes objects as YAML or JSON; the name stands for them in messages. */
public record ManifestText(String name, String text) {}
