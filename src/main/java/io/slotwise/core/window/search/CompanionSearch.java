package io.slotwise.core.window.search;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.NeighbourRules;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.sweep.SlotSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The search for gangs whose pods have rules about the pods on a node or in a domain.
 *
 * @param nodes all nodes with pods that the rules may count
 */
record CompanionSearch(Gang gang, List<SearchField> fields, List<NodeTimeline> nodes, FieldSearch fieldSearch) {
    /** The number of ranges of starts that are searched one by one for a gang with rules. */
    private static final int MOST_STRETCHES = 256;

    /**
     * Returns the best window over each range of starts in which other pods stay, and each way to keep the rules.
     */
    SearchAnswer best(SearchQuestion question) {
        SlotTerms terms = question.terms();
        NeighbourRules rules = new NeighbourRules(gang, nodes, question.restored()::of);
        List<Long> stretches = rules.stretches(terms.earliest(), terms.latest());
        List<SearchField> closing = fields.stream()
                .map(field -> closing(field, rules, question.restored()))
                .toList();
        Comparator<Window> order = WindowSearch.order(question.criterion(), gang);
        SearchAnswer answer = SearchAnswer.NOTHING;
        for (int i = 0; i < stretches.size(); i++) {
            long first = stretches.get(i);
            Window best = answer.window();
            if (i == MOST_STRETCHES) {
                return answer.leftOut();
            }
            if (best != null && settles(best, question.criterion(), first)) {
                break;
            }
            long last = i + 1 < stretches.size() ? stretches.get(i + 1) - 1 : terms.latest();
            for (NeighbourRules.Alternative alternative : rules.at(first)) {
                for (SearchField field : closing) {
                    for (SearchField searchField : open(field, alternative)) {
                        SlotSearch search = new SlotSearch(
                                new SlotList(searchField.offers(), terms.between(first, last)),
                                searchField.shapes(),
                                gang.maxPerNode(),
                                alternative.rules());
                        answer = answer.or(fieldSearch.best(search, question), order);
                    }
                }
            }
        }
        return rules.bounded() ? answer.leftOut() : answer;
    }

    private boolean settles(Window best, Criterion criterion, long second) {
        return switch (criterion.kind()) {
            case TIME -> criterion == Criterion.START ? best.start() < second : best.end() <= second;
            case LARGEST, SUM -> false;
            case WORTH -> best.value(criterion, gang) < gang.delay(second);
            case DISTANCE -> {
                Preferences preferences = gang.preferences();
                yield preferences.isRisingFrom(second)
                        && best.value(criterion, gang) < preferences.timeError(second, second);
            }
        };
    }

    /** Returns the offers without the seconds in which their node is closed to their shape. */
    private static SearchField closing(SearchField field, NeighbourRules rules, RestoredCapacity restored) {
        List<Offer> offers = new ArrayList<>(field.offers().size());
        int at = 0;
        for (int shape = 0; shape < field.shapes().size(); shape++) {
            for (int i = 0; i < field.shapes().get(shape).offers(); i++) {
                Offer offer = field.offers().get(at++);
                NodeTimeline timeline = restored.of(offer.timeline());
                List<Interval> closed = rules.closed(shape, timeline.node());
                offers.add(
                        closed.isEmpty()
                                ? restored.isEmpty() ? offer : offer.on(timeline)
                                : offer.on(timeline.keptIn(closed)));
            }
        }
        return new SearchField(offers, field.shapes(), field.span());
    }

    /** Returns the offers that an alternative leaves open, one field for each domain in which some pods must all be. */
    private List<SearchField> open(SearchField field, NeighbourRules.Alternative alternative) {
        List<List<Offer>> all = new ArrayList<>();
        Map<List<String>, List<List<Offer>>> byDomain =
                new TreeMap<>(Comparator.comparing((List<String> values) -> String.join("\n", values)));
        NeighbourRules.SameDomain sameDomain = alternative.sameDomain();
        int at = 0;
        for (int shape = 0; shape < field.shapes().size(); shape++) {
            all.add(new ArrayList<>());
            for (int i = 0; i < field.shapes().get(shape).offers(); i++) {
                Offer offer = field.offers().get(at++);
                Node node = offer.timeline().node();
                if (!alternative.open().test(shape, node)) {
                    continue;
                }
                if (sameDomain == null || !sameDomain.owners().get(shape)) {
                    all.get(shape).add(offer);
                } else {
                    byDomain.computeIfAbsent(
                                    sameDomain.values(node),
                                    _ -> field.shapes().stream()
                                            .<List<Offer>>map(_ -> new ArrayList<>())
                                            .toList())
                            .get(shape)
                            .add(offer);
                }
            }
        }
        List<List<List<Offer>>> apart = sameDomain == null ? List.of(all) : new ArrayList<>(byDomain.values());
        if (sameDomain != null) {
            for (List<List<Offer>> domain : apart) {
                for (int shape = 0; shape < domain.size(); shape++) {
                    domain.get(shape).addAll(all.get(shape));
                }
            }
        }
        return apart.stream()
                .filter(shapes -> shapes.stream().noneMatch(List::isEmpty))
                .map(shapes -> SearchField.of(gang, shapes))
                .toList();
    }

    /** Returns the cheapest window of each range of starts, and the first one, if cheaper than those before. */
    List<Window> menu(SlotTerms terms, SlotSelection selection) {
        List<Window> menu = new ArrayList<>();
        List<Long> stretches =
                new NeighbourRules(gang, nodes, RestoredCapacity.NONE::of).stretches(terms.earliest(), terms.latest());
        for (int i = 0; i < stretches.size() && i < MOST_STRETCHES; i++) {
            long last = i + 1 < stretches.size() ? stretches.get(i + 1) - 1 : terms.latest();
            SlotTerms partTerms = terms.between(stretches.get(i), last);
            for (Criterion criterion : List.of(Criterion.START, Criterion.COST)) {
                selection
                        .best(criterion, partTerms, Cost.UNLIMITED)
                        .filter(window -> menu.isEmpty()
                                || window.cost().compareTo(menu.getLast().cost()) < 0)
                        .ifPresent(menu::add);
            }
        }
        return menu;
    }

    /** Returns which rules of the gang are never searched for, in words that follow "its". Null if all are. */
    @Nullable
    String unsupported() {
        return new NeighbourRules(gang, nodes, RestoredCapacity.NONE::of).unsupported();
    }
}
