package io.slotwise.kubernetes.manifest.file;

/**
 * Kubernetes objects as YAML or JSON.
 *
 * @param name stands for it in messages
 */
public record ManifestText(String name, String text) {}
