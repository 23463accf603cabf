package io.slotwise.config;

import io.slotwise.core.text.Keyed;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The policies that come with the program: each says in which keys it differs from the default, and whom it suits. */
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

    /** The keys that it sets. */
    public PolicyFile policy() {
        return PolicyFile.load(new StringReader(text), this == DEFAULT ? key() : "preset " + key());
    }

    /** Whom it suits, in one sentence. */
    public String suits() {
        return text.substring("# ".length(), text.indexOf('\n'));
    }

    /** As it is written. */
    String text() {
        return text;
    }
}
