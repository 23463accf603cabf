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
 * The sites of a utility grid, each of which is a resource domain of one node with many processing elements, and the
 * applications that hold reservations there. Not safe for threads.
 *
 * <p>Applications are placed one by one as they arrive. Reservations that have ended are cleared away from time to
 * time, so that the timeline grows with the reservations alive.
 */
final class UtilityGrid {
    private static final String LABEL = "site";
    private static final int ELEMENT_SPEED = 1000;
    private static final long INSTRUCTIONS = ELEMENT_SPEED * 1_000_000L;

    /** Placements from one clearing to the next. */
    private static final int CLEARING = 128;

    /** No slot is looked for that ends so many seconds later than it may begin. */
    private static final long LONGEST = 100_000_000;

    /** Millionths of a unit of money for one G$, so that the dearest window can be summed up exactly. */
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
     * What the paper's text leaves open of a grid.
     *
     * @param patience an application fails if no site has room for it that begins so many seconds after its submission
     *     at the latest
     * @param bandwidth into every site, bit/s; {@link Node#UNKNOWN}: transfers are left out
     */
    record Surroundings(long patience, long bandwidth) {
        /** An hour, and no transfers. */
        static final Surroundings FIRST = new Surroundings(3600, Node.UNKNOWN);

        /** Four hours, and transfers by equation 4 over 10 Gbit/s. */
        static final Surroundings SECOND = new Surroundings(4 * 3600, 10_000_000_000L);

        /** What moves to a site before an application starts, bytes: a bit for each instruction, by equation 4. */
        long input(Application application) {
            return bandwidth == Node.UNKNOWN ? 0 : application.length() * INSTRUCTIONS / Byte.SIZE;
        }
    }

    /** A site; {@code price}: of an element, G$ per second. */
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

    /** Table 3 of the paper. */
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

    /** Table 4 of the paper with the prices of section 5.3. */
    static List<Site> das2(RandomGenerator random) {
        return IntStream.rangeClosed(1, 5)
                .mapToObj(i -> new Site("Site0" + i, i == 1 ? 72 : 32, 1000, Das2Model.weibull(23.577, 0.5, random)))
                .toList();
    }

    /** The window of an application, its room taken; empty: it failed. */
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

    /** Forgets what ended before a second. */
    private void clear(long now) {
        reservations.removeIf(occupation -> occupation.interval().end() <= now);
        timeline = new Timeline(new Cluster(inventory, reservations), now, 0);
        choice = new DomainChoice(new ResourceDomains(timeline, LABEL), reading);
    }

    /** What a window costs, G$. */
    static double cost(Window window) {
        return window.cost().microSecondsPerHour() / EXACT;
    }
}
