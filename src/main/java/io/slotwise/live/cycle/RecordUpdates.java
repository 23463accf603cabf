package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a cycle makes of all gangs, a {@link RecordUpdate} each, by gang. Belongs to one cycle. */
final class RecordUpdates {
    private final long now;
    private final PlanningErrors errors;
    private final SortedMap<GangId, RecordUpdate> byGang = new TreeMap<>();

    /**
     * None yet.
     *
     * @param now the second of the cycle, since the epoch: a gang that has no draft is seen for the first time then
     * @param errors who is told of errors over single gangs
     */
    RecordUpdates(long now, PlanningErrors errors) {
        this.now = now;
        this.errors = errors;
    }

    /** The draft of a gang; of one that is seen for the first time a new one. */
    RecordUpdate of(GangId gang) {
        return byGang.computeIfAbsent(gang, id -> new RecordUpdate(GangRecord.first(id, now)));
    }

    /** Puts a draft in the place of the one that its gang had, if it had one. */
    void put(RecordUpdate update) {
        byGang.put(update.before().gang(), update);
    }

    /** Leaves a gang as it is whose record cannot be read. */
    void freeze(GangId gang) {
        byGang.computeIfAbsent(gang, id -> RecordUpdate.frozen(GangRecord.first(id, now)));
    }

    /**
     * Changes the draft of one gang, unless this cycle leaves it alone or lets its deleted record go. After an error it
     * stays as it was before the cycle.
     *
     * @param done what is done to the gang, one word such as {@code judged}
     */
    void change(GangId gang, String done, Consumer<RecordUpdate> changeUpdate) {
        RecordUpdate update = of(gang);
        boolean isToGo = update.gone() && update.before().deleted();
        if (!update.isFrozen() && !isToGo) {
            Isolated.run(() -> changeUpdate.accept(update), error -> {
                errors.add(gang, done, error);
                put(RecordUpdate.frozen(update.before()));
            });
        }
    }

    /** All of them, in the order of their gangs. */
    Collection<RecordUpdate> all() {
        return Collections.unmodifiableCollection(byGang.values());
    }

    /** All of them, in the order of their gangs. */
    Stream<RecordUpdate> stream() {
        return byGang.values().stream();
    }

    /** All of them, by gang. */
    SortedMap<GangId, RecordUpdate> byGang() {
        return Collections.unmodifiableSortedMap(byGang);
    }

    /** The gangs whose ends this cycle sees, and no record says yet. */
    Set<GangId> ending() {
        return stream()
                .filter(RecordUpdate::ends)
                .map(update -> update.before().gang())
                .collect(Collectors.toSet());
    }

    /** What is to be known of the gangs that stay. */
    List<GangRecord> after() {
        return stream()
                .filter(update -> !update.gone())
                .map(RecordUpdate::after)
                .toList();
    }

    /**
     * The standings as the snapshot needs them: a window whose second has come stays where it is, and so does what is
     * being written, an advance reservation, which people count on, and the part of it that a gang has.
     */
    List<GangRecord> forSnapshot() {
        List<GangRecord> records = new ArrayList<>();
        for (RecordUpdate update : byGang.values()) {
            GangRecord record = update.after();
            Promise promise = record.promise();
            if (update.gone()) {
                continue;
            }
            boolean released = promise != null
                    && (record.phase() != Phase.PROMISED
                            || update.isFrozen()
                            // What is paid for is used.
                            || promise.orders().stream().anyMatch(order -> order.bought() <= now)
                            || promise.window().start() <= now
                            || !record.ownership().equals(WindowOwnership.own()));
            records.add(promise == null ? record : record.with(promise.withReleased(released)));
        }
        return records;
    }
}
