package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The objects of one file that are not read, by kind and name. Lives for one reading. */
final class UnreadObjects {
    private static final int SHOWN = 20;

    /** The reason why objects are not read, with the consequence for the plan. */
    enum Cause {
        KIND("what they make and what they limit is not in the plan"),
        OTHER_SCHEDULER("their pods name another scheduler and take no room in the plan"),
        /** Workloads of a cluster. */
        IN_CLUSTER("their pods count where they are in the input");

        private final String consequence;

        Cause(String consequence) {
            this.consequence = consequence;
        }
    }

    private record Unread(String kind, Cause cause) {}

    private final Map<Unread, List<String>> names = new LinkedHashMap<>();

    void add(ObjectNode object, Cause cause) {
        String kind = SafeText.value(object.path("kind").asText());
        String name = object.path("metadata").path("name").asText("");
        if (name.isEmpty()) {
            name = object.path("metadata").path("generateName").asText("without a name");
        }
        String namespace = object.path("metadata").path("namespace").asText("");
        names.computeIfAbsent(new Unread(kind, cause), _ -> new ArrayList<>())
                .add(SafeText.value(namespace.isEmpty() ? name : namespace + "/" + name));
    }

    /** Returns a warning for each kind, sorted by kind, and forgets the objects. */
    List<IntakeWarning> take(String file) {
        TreeMap<String, IntakeWarning> warnings = new TreeMap<>();
        names.forEach((unread, objects) -> {
            String more = objects.size() > SHOWN ? " and %d more".formatted(objects.size() - SHOWN) : "";
            String shown = String.join(", ", objects.subList(0, Math.min(SHOWN, objects.size()))) + more;
            warnings.put(
                    unread.kind() + " " + unread.cause(),
                    IntakeWarning.of(
                            IntakeWarning.Reason.IGNORED,
                            Subject.of(unread.kind(), shown),
                            null,
                            "%s: %s %s %s not read"
                                    .formatted(file, unread.kind(), shown, objects.size() == 1 ? "is" : "are"),
                            unread.cause().consequence));
        });
        names.clear();
        return List.copyOf(warnings.values());
    }
}
