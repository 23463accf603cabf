package io.slotwise.config;

import io.slotwise.core.text.Keyed;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The built-in policies, with their differences from the default. */
public enum Preset implements Keyed {
    DEFAULT,
    EASY,
    FAIR,
    CHEAP_NIGHTS,
    VALUE,
    PAPER;

    static final KeyType<Preset> TYPE = KeyType.named(values());

    private final String text;

    Preset() {
        String file = "policies/%s.yaml".formatted(key());
        try (InputStream stream = Objects.requireNonNull(Preset.class.getResourceAsStream(file), file)) {
            this.text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public PolicyFile policy() {
        return PolicyFile.load(new StringReader(text), this == DEFAULT ? key() : "preset " + key());
    }

    /** Returns the suitable use, in one sentence. */
    public String suits() {
        return text.substring("# ".length(), text.indexOf('\n'));
    }

    String text() {
        return text;
    }
}
