package io.slotwise.report;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A plan as a picture: nodes downwards, time to the right, each window by its letter. A node has one line, and more
 * where windows share it at the same time. Running load is drawn by its height, the largest share of the node's
 * resources that it holds in the middle of the column. Ends are rounded to the nearest column; no window is narrower
 * than one.
 */
public final class GanttChart {
    private static final int MOST_NODES = 40;
    private static final int LONGEST_NAME = 30;

    private final Terminal terminal;

    public GanttChart(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The picture, each line ended by a line feed; empty if there is nothing to show. */
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
        if (nodes.size() < cluster.nodes().size()) {
            text.append("and %d more nodes\n".formatted(cluster.nodes().size() - nodes.size()));
        }
        legend(text, report, axis);
        return text.toString();
    }

    /** All nodes where they fit; else those that carry windows, as many as fit. */
    private static List<Node> shown(PlanReport report, Cluster cluster) {
        if (cluster.nodes().size() <= MOST_NODES) {
            return cluster.nodes();
        }
        Set<String> used = new HashSet<>();
        report.windows().forEach(window -> window.placement().forEach(pod -> used.add(pod.node())));
        return cluster.nodes().stream()
                .filter(node -> used.contains(node.name()))
                .limit(MOST_NODES)
                .toList();
    }

    /**
     * The last planned end; where nothing is planned the last known end of what runs; an hour where nothing runs
     * either.
     */
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
        for (int i = 0; i < report.windows().size() && WindowLabels.of(i) != WindowLabels.REST; i++) {
            entries.add(WindowLabels.of(i) + " " + report.windows().get(i).gang());
        }
        if (report.windows().size() > entries.size()) {
            entries.add(
                    "%c %d more".formatted(WindowLabels.REST, report.windows().size() - entries.size()));
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
}
