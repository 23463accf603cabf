package io.slotwise.lab.experiment.topsis;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.DomainChoice;
import io.slotwise.core.online.DomainChoice.Chosen;
import io.slotwise.core.online.OnlineRequest;
import io.slotwise.core.online.ResourceDomains;
import io.slotwise.core.online.Topsis.Reading;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.lab.experiment.topsis.GridApplications.Application;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.paper.Das2Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The sites of a utility grid with the reservations of applications. Each site is a resource domain of one node with
 * many processing elements. Not thread-safe.
 *
 * <p>Applications are placed one by one as they arrive. Ended reservations are removed regularly, so that the timeline
 * only grows with current ones.
 */
final class UtilityGrid {
    private static final String LABEL = "site";
    private static final int ELEMENT_SPEED = 1000;
    private static final long INSTRUCTIONS = ELEMENT_SPEED * 1_000_000L;

    /** The number of placements between two removals. */
    private static final int CLEARING = 128;

    /** The longest search for a slot, seconds after its earliest start. */
    private static final long LONGEST = 100_000_000;

    /** Millionths of a unit of money for one G$, so that the most expensive window has an exact sum. */
    private static final double UNIT = 1000;

    private static final double EXACT = 3600 * UNIT;

    private final Inventory inventory;
    private final Reading reading;
    private final Surroundings surroundings;
    private List<Occupation> reservations = new ArrayList<>();
    private Timeline timeline;
    private final PodTariffs tariffs;
    private DomainChoice choice;
    private int placed;

    /**
     * Choices that the paper leaves open.
     *
     * @param patience the longest wait of an application, seconds; it fails if no site has room for it by then
     * @param bandwidth into every site, bit/s; {@link Node#UNKNOWN} for no transfers
     */
    record Surroundings(long patience, long bandwidth) {
        /** An hour of patience, and no transfers. */
        static final Surroundings FIRST = new Surroundings(3600, Node.UNKNOWN);

        /** Four hours of patience, and transfers by equation 4 over 10 Gbit/s. */
        static final Surroundings SECOND = new Surroundings(4 * 3600, 10_000_000_000L);

        /** Returns the bytes that move to a site before the start: a bit for each instruction, by equation 4. */
        long input(Application application) {
            return bandwidth == Node.UNKNOWN ? 0 : application.length() * INSTRUCTIONS / Byte.SIZE;
        }
    }

    /** A site; {@code price} is that of an element, G$ per second. */
    record Site(String name, int elements, int mips, double price) {
        private Node node(long bandwidth) {
            return new Node(
                            name,
                            Map.of(LABEL, name),
                            List.of(),
                            true,
                            of(elements),
                            new Performance((long) mips * Money.MICROS_PER_UNIT / ELEMENT_SPEED),
                            name,
                            StepFunction.constant(Math.round(price * elements * EXACT)),
                            List.of())
                    .withBandwidth(bandwidth);
        }
    }

    private static Resources of(int elements) {
        return Resources.of(Map.of(Resources.CPU, elements * Processor.MILLI_CORES, Resources.PODS, (long) elements));
    }

    UtilityGrid(List<Site> sites, Reading reading, Surroundings surroundings) {
        this.inventory = new Inventory(
                sites.stream().map(site -> site.node(surroundings.bandwidth())).toList());
        this.reading = reading;
        this.surroundings = surroundings;
        this.timeline = new Timeline(new Cluster(inventory, List.of()), 0, 0);
        this.tariffs = new PodTariffs(inventory, false);
        this.choice = new DomainChoice(new ResourceDomains(timeline, LABEL), reading);
    }

    /** Returns the sites of table 3. */
    static List<Site> india() {
        return List.of(
                new Site("Delhi", 100, 1140, 0.0069),
                new Site("Kolkata", 65, 1000, 0.0032),
                new Site("Madras", 252, 1200, 0.1267),
                new Site("Hyderabad", 200, 1330, 1.856),
                new Site("Bombay", 60, 1320, 0.1424),
                new Site("Pune", 54, 166, 0.0353),
                new Site("Bangalore", 265, 1176, 0.0627),
                new Site("Chennai", 20, 1140, 0.0061),
                new Site("Indore", 26, 1330, 0.1799));
    }

    /** Returns the sites of table 4 with the prices of section 5.3. */
    static List<Site> das2(RandomGenerator random) {
        return IntStream.rangeClosed(1, 5)
                .mapToObj(i -> new Site("Site0" + i, i == 1 ? 72 : 32, 1000, Das2Model.weibull(23.577, 0.5, random)))
                .toList();
    }

    /** Places an application and returns its window. Empty if it failed. */
    Optional<Window> place(Application application, OnlineRequest request) {
        if (++placed % CLEARING == 0) {
            clear(application.submit());
        }
        Gang gang = gang(application);
        List<Eligibility> sites = Eligibility.of(gang, tariffs, timeline);
        long latest = application.submit() + surroundings.patience();
        Optional<Chosen> chosen = choice.best(
                gang,
                request,
                sites,
                new SlotTerms(application.submit(), latest, latest + LONGEST, null),
                application.submit());
        return chosen.map(Chosen::window).map(window -> reserve(window, application.elements()));
    }

    private Gang gang(Application application) {
        return new Gang(
                new GangId("user", "application"),
                IntStream.range(0, application.elements())
                        .mapToObj(Integer::toString)
                        .toList(),
                Processor.request(application.length()),
                Demand.NONE.withCriterion(Criterion.FINISH),
                0,
                application.submit());
    }

    private Window reserve(Window window, int elements) {
        Placement first = window.placements().getFirst();
        Interval interval = new Interval(first.start(), first.end());
        timeline.occupy(first.node(), of(elements), interval);
        reservations.add(new Occupation("application", first.node(), of(elements), interval));
        return window;
    }

    private void clear(long now) {
        reservations.removeIf(occupation -> occupation.interval().end() <= now);
        timeline = new Timeline(new Cluster(inventory, reservations), now, 0);
        choice = new DomainChoice(new ResourceDomains(timeline, LABEL), reading);
    }

    /** Returns the cost in G$. */
    static double cost(Window window) {
        return window.cost().microSecondsPerHour() / EXACT;
    }
}
