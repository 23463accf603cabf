package io.slotwise.config;

import io.slotwise.live.Settings;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The admin's policy file, a YAML mapping; what it does not say keeps its default. */
public final class PolicyFile {
    private PolicyFile() {}

    /** The settings that a file makes. */
    public static Settings read(Path file) {
        return load(file).settings();
    }

    /** The settings that a text makes; {@code name} stands for it in messages. */
    public static Settings read(Reader reader, String name) {
        return load(reader, name).settings();
    }

    /** A policy that says nothing. */
    public static PolicyFile empty() {
        return new PolicyFile();
    }

    /** A file, to be overlaid before it becomes settings. */
    public static PolicyFile load(Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            return load(reader, file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A text, to be overlaid before it becomes settings. */
    public static PolicyFile load(Reader reader, String name) {
        return new PolicyFile();
    }

    /**
     * This policy with properties on top. The keys are the file's, nested ones with a dot ({@code limit.cost}); the prefix
     * {@code slotwise.policy.} may be there or not.
     */
    public PolicyFile overlay(Map<String, String> properties) {
        return this;
    }

    /** The settings. */
    public Settings settings() {
        return Settings.DEFAULT;
    }
}
