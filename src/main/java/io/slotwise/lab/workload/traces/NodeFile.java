package io.slotwise.lab.workload.traces;

import io.slotwise.core.cluster.Node;
import io.slotwise.lab.workload.log.MalformedWorkload;
import io.slotwise.lab.workload.log.TextSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Lists of nodes that are no Kubernetes objects: CSV files and METACENTRUM's lists of machines, plain or gzip. */
public final class NodeFile {
    private static final String COMPRESSED = ".gz";
    private static final String CSV = ".csv";
    private static final String MACHINES = ".machines";

    private NodeFile() {}

    /** Whether the file's name is that of such a list; others hold Kubernetes objects. */
    public static boolean isList(Path file) {
        String name = plainName(file);
        return name.endsWith(CSV) || name.endsWith(MACHINES);
    }

    /**
     * The nodes of a list, in its order.
     *
     * @throws MalformedWorkload if the list cannot be understood or is empty
     */
    public static List<Node> read(Path file) {
        TextSource source = TextSource.file(file);
        List<Node> nodes =
                plainName(file).endsWith(MACHINES) ? MachinesReader.read(source) : NodesCsvReader.read(source);
        if (nodes.isEmpty()) {
            throw new MalformedWorkload(source.name(), "no nodes; expected a line for each kind of node");
        }
        return List.copyOf(nodes);
    }

    private static String plainName(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(COMPRESSED) ? name.substring(0, name.length() - COMPRESSED.length()) : name;
    }
}
