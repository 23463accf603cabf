package io.slotwise.kubernetes.manifest.inquiry;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.holds.RecordSize;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A gang that a caller asks about without creating it: size, resources and terms, each a text under its name. They are
 * read by the same table of keys as the annotations of pods, so the gang is the one that such pods would be.
 */
public final class Inquiry {
    public static final String SIZE = "size";
    public static final String NAMESPACE = "namespace";
    public static final String NAME = "name";
    /** Labels that the nodes must have: {@code KEY=VALUE}, separated by commas. */
    public static final String NODE_SELECTOR = "node-selector";
    /** Another queue of a gang, also of one that waits. */
    public static final String QUEUE = GangKey.QUEUE.word();
    /** The terms that a question may have, by the names of the annotations. */
    public static final List<String> TERMS = GangKey.asked().map(GangKey::word).toList();

    private static final List<String> RESOURCES = List.of("cpu", "memory", "ephemeral-storage");
    private static final int LARGEST = 10_000;
    private static final String USUAL_NAMESPACE = "default";
    private static final String USUAL_NAME = "quote";
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

    private final LoopSettings settings;

    public Inquiry(LoopSettings settings) {
        this.settings = settings;
    }

    /**
     * Reads a question.
     *
     * @param fields text by name: terms as above, and resources such as {@code cpu}, {@code memory} or {@code
     *     nvidia.com/gpu}
     * @param now the gang's time of submission, seconds since the epoch
     * @throws InvalidField if a field is unknown or cannot be read; the message names it
     */
    public Gang gang(Map<String, String> fields, long now) {
        SortedMap<String, String> asked = new TreeMap<>(fields);
        GangId id = id(fields);
        asked.keySet().removeAll(List.of(NAMESPACE, NAME));
        int size = size(asked.remove(SIZE));
        Map<String, String> selector = selector(asked.remove(NODE_SELECTOR));
        AnnotationReader annotations = new AnnotationReader();
        GangKey.asked().forEach(key -> {
            String text = asked.remove(key.word());
            if (text != null) {
                annotations.add(key, text);
            }
        });
        PodSpec pod = new PodSpecBuilder()
                .withNodeSelector(selector)
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .withRequests(resources(asked))
                .endResources()
                .endContainer()
                .build();
        return gang(id, pod, terms(annotations, id.namespace(), size), now);
    }

    /**
     * Returns the name of a described gang.
     *
     * @throws InvalidField if this is no name
     */
    public static GangId id(Map<String, String> fields) {
        return new GangId(name(fields, NAMESPACE, USUAL_NAMESPACE), name(fields, NAME, USUAL_NAME));
    }

    /**
     * Returns the description of a gang, of which {@link #gang} makes the gang again. The priority and the manner of
     * its placement, which do not count in a quote, are left out.
     *
     * @throws InvalidField if the gang asks for something that a description does not have
     */
    public SortedMap<String, String> fields(Gang gang) {
        SortedMap<String, String> fields = new TreeMap<>();
        PodRequest request = gang.shapes().getFirst().request();
        QuantityAmounts.quantities(request.resources()).forEach((name, amount) -> fields.put(name, amount.toString()));
        fields.put(NAMESPACE, gang.id().namespace());
        fields.put(NAME, gang.id().name());
        fields.put(SIZE, Integer.toString(gang.size()));
        fields.put(GangKey.RUNTIME.word(), Durations.brief(request.runtime()));
        GangKey.asked().forEach(key -> {
            String text = key.textOf(gang.demand());
            if (text != null) {
                fields.put(key.word(), text);
            }
        });
        Map<String, String> selector = request.constraint().selector();
        if (!selector.isEmpty()) {
            fields.put(
                    NODE_SELECTOR,
                    new TreeMap<>(selector)
                            .entrySet().stream()
                                    .map(label -> label.getKey() + "=" + label.getValue())
                                    .collect(Collectors.joining(",")));
        }
        String lost = gang.isUniform() ? lost(gang, gang(fields, gang.arrival())) : "pods that differ";
        if (lost != null) {
            throw new InvalidField(
                    null,
                    ("The gang (%s) has %s, which no description has: expected pods that are alike, with resources, a "
                                    + "node selector and the annotations that 'slotwise quote --help' lists")
                            .formatted(gang.id(), lost));
        }
        return fields;
    }

    /** Returns the part of a gang that its description lacks, or null. */
    private static @Nullable String lost(Gang gang, Gang describedGang) {
        PodRequest request = gang.request();
        Demand demand = gang.demand().withMigratable(false).withPreemptible(false);
        if (!request.rules().isEmpty()) {
            return request.rules().getFirst().words();
        }
        if (!request.constraint().equals(describedGang.request().constraint())) {
            return "tolerations, affinity, volumes or devices";
        }
        if (request.nodeIndependent()) {
            return "a runtime that is the same on every node (activeDeadlineSeconds)";
        }
        return request.equals(describedGang.request()) && demand.equals(describedGang.demand())
                ? null
                : "annotations such as " + GangKey.PROVISION;
    }

    /**
     * Returns a gang as if it were in another queue.
     *
     * @param queue null for its own queue
     * @param queues of the cluster, or null if it has none
     * @throws InvalidField if this is no name of a queue, or if there are no queues
     */
    public static Gang inQueue(Gang gang, @Nullable String queue, @Nullable QueueState queues) {
        if (queue == null) {
            return gang;
        }
        Gang movedGang;
        try {
            movedGang = gang.asking(gang.demand().withQueue(GangKey.QUEUE.parse(queue)));
        } catch (IllegalArgumentException e) {
            throw new InvalidField(
                    QUEUE, "`%s` (%s) is not valid: %s".formatted(QUEUE, SafeText.value(queue), e.getMessage()));
        }
        return withQueues(movedGang, queues);
    }

    /**
     * Returns a described gang, if there are queues or if it names none.
     *
     * @throws InvalidField otherwise
     */
    public static Gang withQueues(Gang gang, @Nullable QueueState queues) {
        if (gang.queue() != null && queues == null) {
            throw new InvalidField(
                    QUEUE,
                    "`%s` (%s) is given, and the cluster has no Queue: expected none"
                            .formatted(QUEUE, SafeText.value(gang.queue())));
        }
        return gang;
    }

    private AnnotatedGang terms(AnnotationReader annotations, String namespace, int size) {
        GangDefaults defaults = GangDefaults.of(settings);
        AnnotatedGang annotated = AnnotatedGang.read(
                annotations, new GangSize.Together(size), null, defaults, defaults.hour(namespace, Set.of()));
        if (!annotations.flaws().isEmpty()) {
            throw invalid(annotations.flaws().getFirst().refusal(Inquiry::field));
        }
        return annotated;
    }

    private static Gang gang(GangId id, PodSpec pod, AnnotatedGang annotated, long now) {
        List<String> pods = IntStream.range(0, annotated.size())
                .mapToObj(i -> id.name() + "-" + i)
                .toList();
        String tooLarge = RecordSize.on(List.of())
                .problem(annotated.size(), pods.getLast().length());
        if (tooLarge != null) {
            throw invalid(new Refusal.InvalidRequest(tooLarge));
        }
        PodRequest request = new PodRequest(
                PodResources.of(pod, new QuantityAmounts()),
                PodConstraints.of(pod, null, Set.of()),
                annotated.runtime(),
                annotated.nodeIndependent());
        return new Gang(id, List.of(new Gang.Shape(pods, request)), annotated.demand(), 0, now, annotated.request());
    }

    private static InvalidField invalid(Refusal.InvalidRequest invalid) {
        return new InvalidField(invalid.field(), invalid.message());
    }

    private static String field(String key) {
        return key.startsWith(AnnotationKeys.PREFIX) ? key.substring(AnnotationKeys.PREFIX.length()) : key;
    }

    private static String name(Map<String, String> asked, String field, String usual) {
        String text = asked.get(field);
        if (text == null) {
            return usual;
        }
        if (!text.matches(LABEL)) {
            throw new InvalidField(
                    field,
                    "`%s` (%s) is not valid: expected a name of lower-case letters, digits and '-'"
                            .formatted(field, SafeText.value(text)));
        }
        return text;
    }

    private static int size(@Nullable String text) {
        if (text == null) {
            throw new InvalidField(SIZE, "`%s` is missing: expected the number of pods".formatted(SIZE));
        }
        if (text.matches("[0-9]{1,9}")) {
            int size = Integer.parseInt(text);
            if (size >= 1 && size <= LARGEST) {
                return size;
            }
        }
        throw new InvalidField(
                SIZE,
                "`%s` (%s) is not valid: expected a whole number from 1 to %d"
                        .formatted(SIZE, SafeText.value(text), LARGEST));
    }

    private static Map<String, String> selector(@Nullable String text) {
        Map<String, String> selector = new TreeMap<>();
        if (text != null && !text.isBlank()) {
            for (String item : text.split(",", -1)) {
                String[] parts = item.split("=", -1);
                if (parts.length != 2 || parts[0].isBlank()) {
                    throw new InvalidField(
                            NODE_SELECTOR,
                            "`%s` (%s) is not valid: expected KEY=VALUE, separated by commas"
                                    .formatted(NODE_SELECTOR, SafeText.value(text)));
                }
                selector.put(parts[0].strip(), parts[1].strip());
            }
        }
        return selector;
    }

    private static Map<String, Quantity> resources(SortedMap<String, String> asked) {
        Map<String, Quantity> requests = new TreeMap<>();
        asked.forEach((name, text) -> {
            if (!RESOURCES.contains(name) && name.indexOf('/') < 0) {
                throw new InvalidField(
                        SafeText.value(name),
                        "`%s` (%s) is not known: expected one of %s or an extended resource such as nvidia.com/gpu"
                                .formatted(SafeText.value(name), SafeText.value(text), String.join(", ", known())));
            }
            requests.put(name, amount(name, text));
        });
        return requests;
    }

    private static Quantity amount(String name, String text) {
        try {
            Quantity amount = QuantityAmounts.parse(name, text);
            new QuantityAmounts().requests(Map.of(name, amount));
            return amount;
        } catch (IllegalArgumentException e) {
            throw new InvalidField(SafeText.value(name), e);
        }
    }

    private static List<String> known() {
        return Stream.of(List.of(SIZE, NAMESPACE, NAME, NODE_SELECTOR), TERMS, RESOURCES)
                .flatMap(List::stream)
                .sorted()
                .toList();
    }
}
