package io.slotwise.report;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.Interval;
import io.slotwise.report.PlanReport.WindowRow;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A plan as a text chart: a row for each node, time to the right, and a letter for each window. A node has several
 * lines if windows overlap on it. Running load has the height of its largest share of the node's resources in the
 * middle of the column. Ends are rounded to the nearest column; a window has at least one.
 */
public record GanttChart(Terminal terminal) {
    private static final int MOST_NODES = 40;
    private static final String LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    /** The letter of all windows beyond the alphabet. */
    private static final char REST = '*';

    private static final int LONGEST_NAME = 30;

    /** Returns the chart; empty if there is nothing to show. */
    public String draw(PlanReport report, Cluster cluster) {
        List<Node> nodes = shown(report, cluster);
        if (nodes.isEmpty()) {
            return "";
        }
        int label = Math.min(
                LONGEST_NAME,
                nodes.stream().mapToInt(node -> node.name().length()).max().orElse(0));
        TimeAxis axis = TimeAxis.of(report.now(), end(report, nodes, cluster), terminal.columns() - label - 3);
        Map<String, List<Occupation>> load =
                cluster.occupations().stream().collect(Collectors.groupingBy(Occupation::node));
        StringBuilder text = new StringBuilder();
        scale(text, axis, label);
        char edge = terminal.glyph('│', '|');
        for (Node node : nodes) {
            NodeLanes lanes = new NodeLanes(axis, terminal);
            lanes.base(node, load.getOrDefault(node.name(), List.of()));
            for (int i = 0; i < report.windows().size(); i++) {
                lanes.window(i, report.windows().get(i), node.name());
            }
            String name = shortened(node.name(), label);
            for (String lane : lanes.lines()) {
                text.append(name).append(" ".repeat(label - name.length() + 1));
                text.append(edge).append(lane).append(edge).append('\n');
                name = "";
            }
        }
        if (nodes.size() < cluster.inventory().size()) {
            text.append("and %d more nodes\n".formatted(cluster.inventory().size() - nodes.size()));
        }
        legend(text, report, axis);
        return text.toString();
    }

    static char label(int position) {
        return position < LABELS.length() ? LABELS.charAt(position) : REST;
    }

    /** Returns all nodes if they fit, otherwise as many nodes with windows as fit. */
    private static List<Node> shown(PlanReport report, Cluster cluster) {
        if (cluster.inventory().size() <= MOST_NODES) {
            return cluster.inventory();
        }
        Set<String> used = new HashSet<>();
        report.windows().forEach(window -> window.placement().forEach(pod -> used.add(pod.node())));
        return cluster.inventory().stream()
                .filter(node -> used.contains(node.name()))
                .limit(MOST_NODES)
                .toList();
    }

    /** Returns the last planned end, else the last known end of running pods, else an hour from now. */
    private static long end(PlanReport report, List<Node> nodes, Cluster cluster) {
        Set<String> names = nodes.stream().map(Node::name).collect(Collectors.toSet());
        long planned = report.windows().stream().mapToLong(WindowRow::end).max().orElse(report.now());
        if (planned > report.now()) {
            return planned;
        }
        return cluster.occupations().stream()
                .filter(occupation -> names.contains(occupation.node()))
                .mapToLong(occupation -> occupation.interval().end())
                .filter(end -> end > report.now() && end < Interval.FOREVER)
                .map(end -> Math.min(end, report.now() + report.horizon()))
                .max()
                .orElse(report.now() + 3600);
    }

    private void scale(StringBuilder text, TimeAxis axis, int label) {
        StringBuilder labels = new StringBuilder(" ".repeat(label + 2));
        StringBuilder ruler = new StringBuilder(" ".repeat(label + 1)).append(terminal.glyph('┌', '+'));
        int tick = axis.tick();
        for (int column = 0; column < axis.columns(); column++) {
            ruler.append(column % tick == 0 ? terminal.glyph('┬', '+') : terminal.glyph('─', '-'));
            if (column % tick == 0) {
                String figure = "+" + TimeText.duration(column * axis.step());
                int gap = label + 2 + column - labels.length();
                if (label + 2 + column + figure.length() <= terminal.columns()) {
                    labels.append(" ".repeat(gap)).append(figure);
                }
            }
        }
        text.append(labels)
                .append('\n')
                .append(ruler)
                .append(terminal.glyph('┐', '+'))
                .append('\n');
    }

    private void legend(StringBuilder text, PlanReport report, TimeAxis axis) {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < report.windows().size() && label(i) != REST; i++) {
            entries.add(label(i) + " " + report.windows().get(i).gang());
        }
        if (report.windows().size() > entries.size()) {
            entries.add("%c %d more".formatted(REST, report.windows().size() - entries.size()));
        }
        entries.add(terminal.unicode() ? "▁▄█ running load" : "1..8 running load in eighths");
        entries.add(terminal.glyph(NodeLanes.UNAVAILABLE, NodeLanes.UNAVAILABLE_ASCII) + " unavailable");
        entries.add("one column is " + TimeText.duration(axis.step()));
        int used = 0;
        for (String entry : entries) {
            boolean fits = used + 2 + entry.length() <= terminal.columns();
            text.append(used == 0 ? "" : fits ? "  " : "\n").append(entry);
            used = used > 0 && fits ? used + 2 + entry.length() : entry.length();
        }
        text.append('\n');
    }

    private static String shortened(String name, int most) {
        return name.length() <= most ? name : name.substring(0, most - 2) + "..";
    }

    /** The columns of a chart from second {@code now} on, of {@code step} seconds each, positive. */
    private record TimeAxis(long now, long step, int columns) {
        private static final long[] STEPS = {
            1, 2, 3, 5, 10, 15, 20, 30, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200,
            10_800, 14_400, 21_600, 28_800, 43_200, 86_400
        };
        /** A label and the blank after it. */
        private static final int LEAST_TICK = 10;

        /** Returns the finest axis of at most {@code widest} columns from {@code now} to {@code end}. */
        static TimeAxis of(long now, long end, int widest) {
            long span = Math.max(1, end - now);
            long step = Math.ceilDiv(span, widest);
            for (long candidate : STEPS) {
                if (candidate >= step) {
                    step = candidate;
                    break;
                }
            }
            return new TimeAxis(now, step, (int) Math.ceilDiv(span, step));
        }

        /** Returns the column whose left edge is nearest to a second, within the chart. */
        int edge(long second) {
            return Math.clamp((second - now + step / 2) / step, 0, columns);
        }

        long middle(int column) {
            return now + column * step + step / 2;
        }

        /** Returns the columns between ticks: a round number with enough room for labels. */
        int tick() {
            for (long candidate : STEPS) {
                if (candidate % step == 0 && candidate / step >= LEAST_TICK) {
                    return (int) (candidate / step);
                }
            }
            return LEAST_TICK;
        }
    }

    /** The lines of one node in a chart: overlapping windows have lines of their own, by first fit. */
    private static final class NodeLanes {
        static final char UNAVAILABLE = '░';
        static final char UNAVAILABLE_ASCII = 'x';

        private static final String LEVELS = "▁▂▃▄▅▆▇█";
        private static final String LEVELS_ASCII = "12345678";
        private static final int BASE = -1;
        private static final int FREE = -2;
        private static final String DIM = "2";
        /** Black on six light colours. */
        private static final List<String> COLOURS = List.of("30;42", "30;43", "30;46", "30;45", "30;47", "30;102");

        private final TimeAxis axis;
        private final Terminal terminal;
        private final List<Lane> lanes = new ArrayList<>();

        NodeLanes(TimeAxis axis, Terminal terminal) {
            this.axis = axis;
            this.terminal = terminal;
            lanes.add(new Lane(axis.columns()));
        }

        /** A line: by column the character and the index of its window, or {@link #BASE} or {@link #FREE}. */
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

        /** Draws the running load and the owner's own times on the first line. */
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

        /** Returns the running load at a second in eighths of the node, rounded up; 0 if nothing runs. */
        private static int level(Node node, List<Occupation> load, long second) {
            Resources resources = Resources.NONE;
            for (Occupation occupation : load) {
                if (holds(occupation.interval(), second)) {
                    resources = resources.plus(occupation.resources());
                }
            }
            if (resources.size() == 0) {
                return 0;
            }
            Share share = resources.dominantShareOf(node.allocatable());
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

        /** Draws the pods of a window on this node as one bar, because they have the same start and end. */
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
            String bar = bar(label(position), pods.size(), to - from);
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

        /** Returns the letter over the whole width, with the number of pods after the first if there is room. */
        private String bar(char letter, int pods, int width) {
            String whole = String.valueOf(letter).repeat(width);
            String count = "" + letter + terminal.glyph('×', 'x') + pods;
            return pods > 1 && count.length() < width ? count + whole.substring(count.length()) : whole;
        }

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
}
