package io.slotwise.it.oracle;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAffinityTermBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.slotwise.it.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random worlds: nodes with labels, taints, cordons and little room, residents of two namespaces with requests of their
 * own, and pods with one to four kinds of requests. The same seed and number give the same world.
 */
final class RandomWorlds {
    static final List<String> NAMESPACES = List.of("oracle-a", "oracle-b");
    /** The namespace of pods that only show what kube-scheduler has seen. */
    static final String SENTINELS = "oracle-sentinels";

    private static final String TEAM = "team";
    private static final String HOST = "kubernetes.io/hostname";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String RACK = "example.com/rack";
    private static final List<String> TOPOLOGIES = List.of(HOST, ZONE, ZONE, RACK);
    private static final String GPU = "example.com/gpu";
    /** The kinds that a pod states itself. The others come with them. */
    private static final List<Kind> STATED = List.of(
            Kind.HOST_PORTS,
            Kind.NODE_SELECTOR,
            Kind.NODE_AFFINITY,
            Kind.TOLERATIONS,
            Kind.CORDON,
            Kind.RESOURCES,
            Kind.AFFINITY,
            Kind.ANTI_AFFINITY,
            Kind.SPREAD,
            Kind.SPREAD,
            Kind.BOUND_VOLUMES,
            Kind.WAITING_VOLUMES,
            Kind.ONE_POD_VOLUMES,
            Kind.DEVICES,
            Kind.DEVICES,
            Kind.DEVICES,
            Kind.SERVED_RESOURCES);

    private final SplittableRandom random;
    private final int number;
    private final String schedulerName;
    private final RandomDevices devices;
    private final RandomVolumes volumes;

    private RandomWorlds(long seed, int number, String schedulerName) {
        this.random = new SplittableRandom(seed * 1_000_003 + number);
        this.number = number;
        this.schedulerName = schedulerName;
        this.devices = new RandomDevices(random.split(), number);
        this.volumes = new RandomVolumes(random.split(), number);
    }

    /** Returns world {@code number} of a seed with this many cases, whose pods name {@code schedulerName}. */
    static World world(long seed, int number, int cases, String schedulerName) {
        return new RandomWorlds(seed, number, schedulerName).make(cases);
    }

    static Map<String, String> labels(String namespace) {
        return Map.of(TEAM, namespace.endsWith("a") ? "x" : "y");
    }

    private World make(int count) {
        int nodes = random.nextInt(6, 15);
        List<World.Resident> residents = IntStream.range(0, random.nextInt(0, 3 * nodes))
                .mapToObj(index -> resident(index, "w%d-n%d".formatted(number, random.nextInt(nodes))))
                .toList();
        Map<String, Long> staying = new HashMap<>();
        residents.stream()
                .filter(resident -> resident.fate() != World.Fate.HAS_ENDED)
                .forEach(resident -> staying.merge(resident.pod().getSpec().getNodeName(), 1L, Long::sum));
        List<Node> all = IntStream.range(0, nodes)
                .mapToObj(index -> "w%d-n%d".formatted(number, index))
                .map(name -> node(name, staying.getOrDefault(name, 0L)))
                .toList();
        devices.offer(all, residents);
        volumes.offer(all, residents);
        List<World.Case> cases = IntStream.range(0, count)
                .mapToObj(index -> probe(index, residents))
                .toList();
        return new World(
                all,
                residents,
                cases,
                Stream.concat(volumes.objects().stream(), devices.objects().stream())
                        .toList());
    }

    private boolean chance(double part) {
        return random.nextDouble() < part;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private <T> List<T> some(int most, Supplier<T> make) {
        int count = random.nextInt(1, most + 1);
        return Stream.generate(make).limit(count).toList();
    }

    private Node node(String name, long residents) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(World.ORACLE, "true");
        if (chance(0.9)) {
            labels.put(ZONE, one(List.of("a", "b", "c")));
        }
        if (chance(0.85)) {
            labels.put(RACK, one(List.of("r1", "r2", "r3", "r4", "r5")));
        }
        labels.put("disk", one(List.of("ssd", "hdd")));
        if (chance(0.8)) {
            labels.put("generation", one(List.of("1", "2", "3", "10", "old")));
        }
        List<Taint> taints = new ArrayList<>();
        if (chance(0.3)) {
            taints.add(new Taint(one(List.of("NoSchedule", "NoExecute")), "dedicated", null, one(List.of("a", "b"))));
        }
        if (chance(0.2)) {
            taints.add(new Taint("PreferNoSchedule", "spot", null, "true"));
        }
        int cores = random.nextInt(2, 9);
        Map<String, Quantity> room = new HashMap<>();
        room.put("cpu", new Quantity(String.valueOf(cores)));
        room.put("memory", new Quantity(random.nextInt(2, 5) * cores + "Gi"));
        room.put("ephemeral-storage", new Quantity(random.nextInt(5, 50) + "Gi"));
        room.put("pods", new Quantity(String.valueOf(chance(0.1) ? residents + random.nextInt(0, 2) : 110)));
        room.put(World.SEAL, new Quantity(String.valueOf(residents + 1)));
        if (chance(0.5)) {
            room.put(GPU, new Quantity(String.valueOf(random.nextInt(0, 5))));
        }
        if (chance(0.3)) {
            room.put("hugepages-2Mi", new Quantity(random.nextInt(1, 5) * 64 + "Mi"));
        }
        return new NodeBuilder(Workload.node(name, cores, 1, labels))
                .editOrNewSpec()
                .withTaints(taints)
                .withUnschedulable(chance(0.15) ? true : null)
                .endSpec()
                .editStatus()
                .withCapacity(room)
                .withAllocatable(room)
                .endStatus()
                .build();
    }

    private Map<String, String> podLabels() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("app", one(List.of("a", "b", "c")));
        if (chance(0.6)) {
            labels.put("version", one(List.of("1", "2")));
        }
        if (chance(0.3)) {
            labels.put("tier", one(List.of("front", "back")));
        }
        return labels;
    }

    private World.Resident resident(int index, String node) {
        Pod bare = Workload.pod(one(NAMESPACES), "r%d-%d".formatted(number, index), "others", 0, 0);
        Drawn drawn = new Drawn();
        drawn.requests(0.2);
        if (chance(0.25)) {
            drawn.ports();
        }
        if (chance(0.2)) {
            drawn.antiAffinity = some(2, this::term).stream()
                    .map(RandomWorlds::sparingSentinels)
                    .toList();
        }
        Pod pod = new PodBuilder(drawn.applyTo(bare))
                .editMetadata()
                .withLabels(podLabels())
                .addToLabels(World.ORACLE, "true")
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
        seal(pod);
        return new World.Resident(
                pod, chance(0.08) ? World.Fate.IS_LEAVING : chance(0.05) ? World.Fate.HAS_ENDED : World.Fate.STAYS);
    }

    /** Limits a term about all namespaces to pods with the label {@code app}, which the sentinels do not have. */
    private static PodAffinityTerm sparingSentinels(PodAffinityTerm term) {
        return term.getNamespaceSelector() == null || term.getLabelSelector() == null
                ? term
                : new PodAffinityTermBuilder(term)
                        .editLabelSelector()
                        .addToMatchExpressions(new LabelSelectorRequirement("app", "Exists", null))
                        .endLabelSelector()
                        .build();
    }

    private static void seal(Pod pod) {
        ResourceRequirements asked = pod.getSpec().getContainers().getFirst().getResources();
        pod.getSpec()
                .getContainers()
                .getFirst()
                .setResources(new ResourceRequirementsBuilder(asked)
                        .addToRequests(World.SEAL, new Quantity("1"))
                        .addToLimits(World.SEAL, new Quantity("1"))
                        .build());
    }

    private World.Case probe(int index, List<World.Resident> residents) {
        Drawn drawn = new Drawn();
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        kinds.addAll(some(4, () -> one(STATED)));
        List.copyOf(kinds).forEach(drawn::draw);
        // Some pods tolerate everything, so that their other requests matter.
        if (chance(0.3)) {
            drawn.tolerations.add(new Toleration(null, null, "Exists", null, null));
        }
        Map<String, String> labels = podLabels();
        String namespace = one(NAMESPACES);
        Pod pod = new PodBuilder(
                        drawn.applyTo(Workload.pod(namespace, "p%d-%d".formatted(number, index), schedulerName, 0, 0)))
                .editMetadata()
                .withLabels(labels)
                .addToLabels(World.ORACLE, "true")
                .addToAnnotations("slotwise.io/runtime", "60s")
                .endMetadata()
                .build();
        if (drawn.spread.stream().anyMatch(each -> each.getMinDomains() != null)) {
            kinds.add(Kind.MIN_DOMAINS);
        }
        if (drawn.spread.stream()
                .anyMatch(each -> each.getNodeAffinityPolicy() != null || each.getNodeTaintsPolicy() != null)) {
            kinds.add(Kind.NODE_POLICIES);
        }
        if (drawn.spread.stream().anyMatch(each -> !each.getMatchLabelKeys().isEmpty())
                || Stream.concat(drawn.affinity.stream(), drawn.antiAffinity.stream())
                        .anyMatch(term -> !term.getMatchLabelKeys().isEmpty()
                                || !term.getMismatchLabelKeys().isEmpty())) {
            kinds.add(Kind.LABEL_KEYS);
        }
        if (residents.stream().anyMatch(resident -> plainlySelects(resident, namespace, labels))) {
            kinds.add(Kind.ANTI_AFFINITY_OF_OTHERS);
        }
        devices.ask(pod, kinds);
        volumes.ask(pod, kinds);
        return new World.Case(pod, kinds);
    }

    /** Returns whether a term of the resident selects a pod, for terms that are simple enough to judge here. */
    private static boolean plainlySelects(World.Resident resident, String namespace, Map<String, String> labels) {
        Affinity affinity = resident.pod().getSpec().getAffinity();
        return resident.fate() != World.Fate.HAS_ENDED
                && resident.pod().getMetadata().getNamespace().equals(namespace)
                && affinity != null
                && affinity.getPodAntiAffinity() != null
                && affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution().stream()
                        .anyMatch(term -> term.getNamespaces().isEmpty()
                                && term.getNamespaceSelector() == null
                                && term.getMatchLabelKeys().isEmpty()
                                && term.getMismatchLabelKeys().isEmpty()
                                && term.getLabelSelector() != null
                                && term.getLabelSelector().getMatchExpressions().isEmpty()
                                && labels.entrySet()
                                        .containsAll(term.getLabelSelector()
                                                .getMatchLabels()
                                                .entrySet()));
    }

    private LabelSelector selector() {
        LabelSelectorBuilder selector = new LabelSelectorBuilder();
        if (chance(0.05)) {
            return selector.build();
        }
        if (chance(0.75)) {
            selector.addToMatchLabels("app", one(List.of("a", "b", "c")));
        }
        if (chance(0.3)) {
            String operator = one(List.of("In", "NotIn", "Exists", "DoesNotExist"));
            selector.addToMatchExpressions(new LabelSelectorRequirement(
                    "tier", operator, operator.endsWith("In") ? some(2, () -> one(List.of("front", "back"))) : null));
        }
        return selector.build();
    }

    private PodAffinityTerm term() {
        PodAffinityTermBuilder term = new PodAffinityTermBuilder().withTopologyKey(one(TOPOLOGIES));
        if (chance(0.97)) {
            term.withLabelSelector(selector());
            if (chance(0.15)) {
                term.withMatchLabelKeys("version");
            } else if (chance(0.1)) {
                term.withMismatchLabelKeys("version");
            }
        }
        if (chance(0.2)) {
            term.withNamespaces(
                    some(2, () -> one(NAMESPACES)).stream().distinct().toList());
        }
        if (chance(0.2)) {
            term.withNewNamespaceSelector()
                    .withMatchLabels(chance(0.4) ? Map.of() : Map.of(TEAM, one(List.of("x", "y", "z"))))
                    .endNamespaceSelector();
        }
        return term.build();
    }

    private TopologySpreadConstraint spread(String topology) {
        TopologySpreadConstraintBuilder spread = new TopologySpreadConstraintBuilder()
                .withTopologyKey(topology)
                .withMaxSkew(random.nextInt(1, 4))
                .withWhenUnsatisfiable("DoNotSchedule");
        if (chance(0.97)) {
            spread.withLabelSelector(selector());
            if (chance(0.35)) {
                spread.withMatchLabelKeys("version");
            }
        }
        if (chance(0.4)) {
            spread.withMinDomains(random.nextInt(1, 7));
        }
        if (chance(0.3)) {
            spread.withNodeAffinityPolicy(one(List.of("Honor", "Ignore")));
        }
        if (chance(0.3)) {
            spread.withNodeTaintsPolicy(one(List.of("Honor", "Ignore")));
        }
        return spread.build();
    }

    private NodeSelectorTerm nodeTerm() {
        return new NodeSelectorTermBuilder()
                .withMatchExpressions(chance(0.9) ? some(2, this::requirement) : List.of())
                .withMatchFields(
                        chance(0.15)
                                ? List.of(new NodeSelectorRequirement(
                                        "metadata.name",
                                        one(List.of("In", "NotIn")),
                                        List.of("w%d-n%d".formatted(number, random.nextInt(8)))))
                                : List.of())
                .build();
    }

    private NodeSelectorRequirement requirement() {
        String operator = one(List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"));
        return switch (operator) {
            case "In", "NotIn" ->
                chance(0.5)
                        ? new NodeSelectorRequirement(ZONE, operator, some(2, () -> one(List.of("a", "b", "c"))))
                        : new NodeSelectorRequirement("disk", operator, List.of(one(List.of("ssd", "hdd"))));
            case "Exists", "DoesNotExist" ->
                new NodeSelectorRequirement(one(List.of(ZONE, RACK, "generation")), operator, null);
            default ->
                new NodeSelectorRequirement("generation", operator, List.of(String.valueOf(random.nextInt(1, 10))));
        };
    }

    /** The requests of a pod. */
    private final class Drawn {
        private final List<ContainerPort> ports = new ArrayList<>();
        private boolean hostNetwork;
        private final Map<String, String> selector = new LinkedHashMap<>();
        private List<NodeSelectorTerm> nodeAffinity = List.of();
        private final List<Toleration> tolerations = new ArrayList<>();
        private ResourceRequirements requests = new ResourceRequirements();
        private final List<Container> initContainers = new ArrayList<>();
        private @Nullable ResourceRequirements podLevel;
        private List<PodAffinityTerm> affinity = List.of();
        private List<PodAffinityTerm> antiAffinity = List.of();
        private List<TopologySpreadConstraint> spread = List.of();

        void draw(Kind kind) {
            switch (kind) {
                case HOST_PORTS -> ports();
                case NODE_SELECTOR -> selector();
                case NODE_AFFINITY -> nodeAffinity = some(2, RandomWorlds.this::nodeTerm);
                case TOLERATIONS -> tolerations.addAll(some(2, this::toleration));
                case CORDON ->
                    tolerations.add(
                            new Toleration("NoSchedule", "node.kubernetes.io/unschedulable", "Exists", null, null));
                case RESOURCES -> requests(1);
                case AFFINITY -> affinity = some(2, RandomWorlds.this::term);
                case ANTI_AFFINITY -> antiAffinity = some(2, RandomWorlds.this::term);
                case SPREAD ->
                    spread = some(2, () -> one(TOPOLOGIES)).stream()
                            .distinct()
                            .map(RandomWorlds.this::spread)
                            .toList();
                case BOUND_VOLUMES, WAITING_VOLUMES, ONE_POD_VOLUMES, DEVICES, SERVED_RESOURCES -> {}
                case ANTI_AFFINITY_OF_OTHERS,
                        MIN_DOMAINS,
                        NODE_POLICIES,
                        LABEL_KEYS,
                        ATTACH_LIMITS,
                        DEVICE_SELECTORS,
                        SEVERAL_REQUESTS,
                        ALL_DEVICES,
                        ALLOCATED_DEVICES -> throw new IllegalArgumentException(kind.words());
            }
        }

        private void selector() {
            if (chance(0.5)) {
                selector.put(ZONE, one(List.of("a", "b", "c")));
            } else {
                selector.put("disk", one(List.of("ssd", "hdd")));
            }
        }

        private Toleration toleration() {
            String effect = one(List.of("NoSchedule", "NoExecute", ""));
            return chance(0.5)
                    ? new Toleration(effect, "dedicated", "Exists", null, null)
                    : new Toleration(effect, "dedicated", chance(0.5) ? "Equal" : null, null, one(List.of("a", "b")));
        }

        void ports() {
            hostNetwork = chance(0.15);
            some(2, RandomWorlds.this::port).forEach(port -> {
                if (ports.stream().noneMatch(other -> port.getHostPort().equals(other.getHostPort()))) {
                    ports.add(port);
                }
            });
            if (chance(0.3)) {
                initContainers.add(new ContainerBuilder()
                        .withName("init-ports")
                        .withImage("none")
                        .withRestartPolicy(chance(0.5) ? "Always" : null)
                        .withPorts(port())
                        .build());
            }
        }

        /** Requests little or, with {@code size} 1, much. */
        void requests(double size) {
            requests = amounts(size);
            if (chance(0.3)) {
                initContainers.add(new ContainerBuilder()
                        .withName("init")
                        .withImage("none")
                        .withRestartPolicy(chance(0.4) ? "Always" : null)
                        .withResources(amounts(size))
                        .build());
            }
            if (chance(0.05)) {
                // Its containers must not request more than the pod.
                requests = new ResourceRequirements();
                initContainers.clear();
                podLevel = new ResourceRequirementsBuilder()
                        .addToRequests("cpu", new Quantity((int) (size * random.nextInt(1, 8000)) + "m"))
                        .build();
            }
        }

        private ResourceRequirements amounts(double size) {
            ResourceRequirementsBuilder amounts = new ResourceRequirementsBuilder();
            if (chance(0.8)) {
                Quantity cpu = new Quantity((int) (size * random.nextInt(1, 6000)) + "m");
                if (chance(0.8)) {
                    amounts.addToRequests("cpu", cpu);
                } else {
                    amounts.addToLimits("cpu", cpu);
                }
            }
            if (chance(0.5)) {
                amounts.addToRequests("memory", new Quantity((int) (size * random.nextInt(1, 16000)) + "Mi"));
            }
            if (chance(0.2)) {
                amounts.addToRequests("ephemeral-storage", new Quantity((int) (size * random.nextInt(1, 30)) + "Gi"));
            }
            if (chance(0.2)) {
                Quantity gpus = new Quantity(String.valueOf(random.nextInt(0, 4)));
                amounts.addToRequests(GPU, gpus).addToLimits(GPU, gpus);
            }
            if (chance(0.1)) {
                Quantity pages = new Quantity("64Mi");
                amounts.addToRequests("hugepages-2Mi", pages)
                        .addToLimits("hugepages-2Mi", pages)
                        .addToRequests("memory", new Quantity("100Mi"));
            }
            return amounts.build();
        }

        Pod applyTo(Pod bare) {
            return new PodBuilder(bare)
                    .editSpec()
                    .withHostNetwork(hostNetwork ? true : null)
                    .withNodeSelector(selector)
                    .withTolerations(tolerations)
                    .withInitContainers(initContainers)
                    .withResources(podLevel)
                    .withAffinity(affinity())
                    .withTopologySpreadConstraints(spread)
                    .editFirstContainer()
                    .withResources(requests)
                    .withPorts(ports)
                    .endContainer()
                    .endSpec()
                    .build();
        }

        private @Nullable Affinity affinity() {
            AffinityBuilder all = new AffinityBuilder();
            if (!nodeAffinity.isEmpty()) {
                all.withNewNodeAffinity()
                        .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                        .withNodeSelectorTerms(nodeAffinity)
                        .endRequiredDuringSchedulingIgnoredDuringExecution()
                        .endNodeAffinity();
            }
            if (!affinity.isEmpty()) {
                all.withNewPodAffinity()
                        .withRequiredDuringSchedulingIgnoredDuringExecution(affinity)
                        .endPodAffinity();
            }
            if (!antiAffinity.isEmpty()) {
                all.withNewPodAntiAffinity()
                        .withRequiredDuringSchedulingIgnoredDuringExecution(antiAffinity)
                        .endPodAntiAffinity();
            }
            return nodeAffinity.isEmpty() && affinity.isEmpty() && antiAffinity.isEmpty() ? null : all.build();
        }
    }

    private ContainerPort port() {
        int number = 8000 + random.nextInt(4);
        return new ContainerPortBuilder()
                .withContainerPort(number)
                .withHostPort(number)
                .withProtocol(one(List.of("TCP", "TCP", "UDP")))
                .withHostIP(one(Arrays.asList(null, null, "0.0.0.0", "127.0.0.1", "10.1.2.3")))
                .build();
    }
}
