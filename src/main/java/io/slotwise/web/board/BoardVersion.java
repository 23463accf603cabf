package io.slotwise.web.board;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A board as it is sent, with the difference from the previous one. Thread-safe; bytes are made once, on demand. */
final class BoardVersion {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String version;
    private final int speed;
    private final Board board;
    private final @Nullable BoardChange change;
    private byte @Nullable [] plain;
    private byte @Nullable [] zipped;
    private @Nullable String changed;

    private record Document(
            String version, int speed, @JsonUnwrapped Board board) {}

    private BoardVersion(String version, int speed, Board board, @Nullable BoardChange change) {
        this.version = version;
        this.speed = speed;
        this.board = board;
        this.change = change;
    }

    static BoardVersion first(String version, int speed, Board board) {
        return new BoardVersion(version, speed, board, null);
    }

    BoardVersion next(String nextVersion, int nextSpeed, Board after) {
        return new BoardVersion(nextVersion, nextSpeed, after, BoardChange.between(version, board, nextVersion, after));
    }

    BoardVersion at(Board laterBoard) {
        return new BoardVersion(version, speed, laterBoard, change);
    }

    String version() {
        return version;
    }

    int speed() {
        return speed;
    }

    /** Returns whether another board differs at most in its time. */
    boolean shows(Board other) {
        return board.ready() == other.ready()
                && board.planning() == other.planning()
                && board.bars().equals(other.bars())
                && board.gangs().equals(other.gangs())
                && board.nodes().equals(other.nodes())
                && board.prices().equals(other.prices())
                && board.income().equals(other.income())
                && board.totals().equals(other.totals())
                && Objects.equals(board.batch(), other.batch())
                && Objects.equals(board.buying(), other.buying())
                && board.queues() == other.queues()
                && board.notes().equals(other.notes());
    }

    /** Returns the difference from version {@code known} as JSON. Null if the whole document is to be sent. */
    synchronized @Nullable String changeFrom(String known) {
        BoardChange after = change;
        if (after == null || !after.from().equals(known) || 2 * after.size() > members()) {
            return null;
        }
        if (changed == null) {
            changed = text(after);
        }
        return changed;
    }

    private int members() {
        return board.nodes().size() + board.bars().size() + board.gangs().size();
    }

    /** Returns the document, which the caller must not change. */
    synchronized byte[] bytes(boolean gzip) {
        byte[] whole = plain;
        if (whole == null) {
            whole = bytes(new Document(version, speed, board));
            plain = whole;
        }
        if (!gzip) {
            return whole;
        }
        byte[] small = zipped;
        if (small == null) {
            small = zip(whole);
            zipped = small;
        }
        return small;
    }

    private static byte[] bytes(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("A board must be writable.", e);
        }
    }

    static String text(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("A board's event must be writable.", e);
        }
    }

    private static byte[] zip(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException("Memory must be writable.", e);
        }
        return bytes.toByteArray();
    }
}
