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

/** The changes of a cycle to all gangs, by gang. Belongs to one cycle. */
final class RecordUpdates {
    private final long now;
    private final PlanningErrors errors;
    private final SortedMap<GangId, RecordUpdate> byGang = new TreeMap<>();

    /**
     * Creates an empty set of updates; a gang without a record is seen first at {@code now}, seconds since the epoch.
     */
    RecordUpdates(long now, PlanningErrors errors) {
        this.now = now;
        this.errors = errors;
    }

    RecordUpdate of(GangId gang) {
        return byGang.computeIfAbsent(gang, id -> new RecordUpdate(GangRecord.first(id, now)));
    }

    void put(RecordUpdate update) {
        byGang.put(update.before().gang(), update);
    }

    /** Leaves a gang with an unreadable record as it is. */
    void freeze(GangId gang) {
        byGang.computeIfAbsent(gang, id -> RecordUpdate.frozen(GangRecord.first(id, now)));
    }

    /**
     * Changes the update of one gang, unless this cycle leaves the gang alone or removes its deleted record. After an
     * error the gang stays as it was before the cycle.
     *
     * @param done the step in one word such as {@code judged}
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

    Collection<RecordUpdate> all() {
        return Collections.unmodifiableCollection(byGang.values());
    }

    Stream<RecordUpdate> stream() {
        return byGang.values().stream();
    }

    SortedMap<GangId, RecordUpdate> byGang() {
        return Collections.unmodifiableSortedMap(byGang);
    }

    /** Returns the gangs whose ends this cycle sees and no record has yet. */
    Set<GangId> ending() {
        return stream()
                .filter(RecordUpdate::ends)
                .map(update -> update.before().gang())
                .collect(Collectors.toSet());
    }

    List<GangRecord> after() {
        return stream()
                .filter(update -> !update.gone())
                .map(RecordUpdate::after)
                .toList();
    }

    /**
     * Returns the records for the snapshot. Windows count as released, and keep their place, if their start has come, a
     * node of theirs is bought, they are being written, or they belong to an advance reservation or a part of one.
     */
    List<GangRecord> forSnapshot() {
        List<GangRecord> records = new ArrayList<>();
        for (RecordUpdate update : byGang.values()) {
            GangRecord record = update.planned();
            Promise promise = record.promise();
            if (update.gone()) {
                continue;
            }
            boolean released = promise != null
                    && (record.phase() != Phase.PROMISED
                            || update.isFrozen()
                            // A node that is paid for is used.
                            || promise.orders().stream().anyMatch(order -> order.bought() <= now)
                            || promise.window().start() <= now
                            || !record.ownership().equals(WindowOwnership.own()));
            records.add(promise == null ? record : record.with(promise.withReleased(released)));
        }
        return records;
    }
}
