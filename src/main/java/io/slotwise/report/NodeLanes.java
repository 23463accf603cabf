package io.slotwise.report;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.Interval;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The lines of one node in a Gantt picture: what overlaps in time lies on lines of its own, as few as first fit finds.
 */
final class NodeLanes {
    static final char UNAVAILABLE = '░';
    static final char UNAVAILABLE_ASCII = 'x';

    private static final String LEVELS = "▁▂▃▄▅▆▇█";
    private static final String LEVELS_ASCII = "12345678";
    private static final int BASE = -1;
    private static final int FREE = -2;
    private static final String DIM = "2";
    /** Black on six colours that are light enough for it. */
    private static final List<String> COLOURS = List.of("30;42", "30;43", "30;46", "30;45", "30;47", "30;102");

    private final TimeAxis axis;
    private final Terminal terminal;
    private final List<Lane> lanes = new ArrayList<>();

    NodeLanes(TimeAxis axis, Terminal terminal) {
        this.axis = axis;
        this.terminal = terminal;
        lanes.add(new Lane(axis.columns()));
    }

    /**
     * What is drawn on one line: the character and the position of its window, or {@link #BASE} or {@link #FREE}, by
     * column.
     */
    private static final class Lane {
        final char[] glyphs;
        final int[] holders;

        Lane(int columns) {
            glyphs = " ".repeat(columns).toCharArray();
            holders = new int[columns];
            Arrays.fill(holders, FREE);
        }

        boolean isFree(int from, int to) {
            for (int i = from; i < to; i++) {
                if (holders[i] != FREE) {
                    return false;
                }
            }
            return true;
        }

        void put(int column, char glyph, int holder) {
            glyphs[column] = glyph;
            holders[column] = holder;
        }
    }

    /** Draws what runs on the node and where its owner keeps it, on the first line. */
    void base(Node node, List<Occupation> load) {
        Lane lane = lanes.getFirst();
        String levels = terminal.unicode() ? LEVELS : LEVELS_ASCII;
        for (int column = 0; column < axis.columns(); column++) {
            long second = axis.middle(column);
            int level = level(node, load, second);
            if (level > 0) {
                lane.put(column, levels.charAt(level - 1), BASE);
            } else if (node.unavailable().stream().anyMatch(interval -> holds(interval, second))) {
                lane.put(column, terminal.glyph(UNAVAILABLE, UNAVAILABLE_ASCII), BASE);
            }
        }
    }

    /** The running load at a second in eighths of the node, rounded up; 0 if nothing runs. */
    private static int level(Node node, List<Occupation> load, long second) {
        Resources sum = Resources.NONE;
        for (Occupation occupation : load) {
            if (holds(occupation.interval(), second)) {
                sum = sum.plus(occupation.amount());
            }
        }
        if (sum.size() == 0) {
            return 0;
        }
        Share share = sum.dominantShareOf(node.allocatable());
        BigInteger whole = BigInteger.valueOf(share.whole());
        BigInteger eighths = BigInteger.valueOf(share.part())
                .multiply(BigInteger.valueOf(LEVELS.length()))
                .add(whole)
                .subtract(BigInteger.ONE)
                .divide(whole);
        return eighths.min(BigInteger.valueOf(LEVELS.length()))
                .max(BigInteger.ONE)
                .intValue();
    }

    private static boolean holds(Interval interval, long second) {
        return interval.start() <= second && second < interval.end();
    }

    /** Draws the pods of a window that run on this node, all as one bar: they have the same start and end. */
    void window(int position, WindowRow window, String node) {
        List<WindowRow.PodRow> pods = window.placement().stream()
                .filter(pod -> pod.node().equals(node))
                .toList();
        if (pods.isEmpty()) {
            return;
        }
        int from = Math.min(axis.edge(pods.getFirst().start()), axis.columns() - 1);
        int to = Math.max(from + 1, axis.edge(pods.getFirst().end()));
        Lane lane = free(from, to);
        String bar = bar(WindowLabels.of(position), pods.size(), to - from);
        for (int i = from; i < to; i++) {
            lane.put(i, bar.charAt(i - from), position);
        }
    }

    private Lane free(int from, int to) {
        for (Lane lane : lanes) {
            if (lane.isFree(from, to)) {
                return lane;
            }
        }
        lanes.add(new Lane(axis.columns()));
        return lanes.getLast();
    }

    /**
     * The letter over the whole width, with the number of pods behind the first one where there are several and room
     * for it.
     */
    private String bar(char letter, int pods, int width) {
        String whole = String.valueOf(letter).repeat(width);
        String count = "" + letter + terminal.glyph('×', 'x') + pods;
        return pods > 1 && count.length() < width ? count + whole.substring(count.length()) : whole;
    }

    /** The lines from top to bottom. */
    List<String> lines() {
        return lanes.stream().map(this::line).toList();
    }

    private String line(Lane lane) {
        StringBuilder line = new StringBuilder();
        int from = 0;
        while (from < lane.glyphs.length) {
            int to = from + 1;
            while (to < lane.glyphs.length && lane.holders[to] == lane.holders[from]) {
                to++;
            }
            String part = new String(lane.glyphs, from, to - from);
            int holder = lane.holders[from];
            switch (holder) {
                case FREE -> line.append(part);
                case BASE -> line.append(terminal.styled(DIM, part));
                default -> line.append(terminal.styled(COLOURS.get(holder % COLOURS.size()), part));
            }
            from = to;
        }
        return line.toString();
    }
}
