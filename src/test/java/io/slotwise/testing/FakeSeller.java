package io.slotwise.testing;

import io.fabric8.kubernetes.api.model.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.purchase.CatalogueOffer;
import io.slotwise.kubernetes.watch.PurchaseWatch;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.PurchaseBooks;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A supplier of nodes as a replica sees it: nodes come after a delay, or never. A call may end with {@link Killed},
 * before or after its effect.
 */
public abstract class FakeSeller implements NodeSupplier {
    /** The replica's death in the middle of a call. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final List<Node> catalogue;
    private PurchaseBooks kept = PurchaseBooks.NONE;
    private @Nullable WholeReplica replica;
    private @Nullable PurchaseWatch watch;
    private Predicate<String> killing = _ -> false;
    private Predicate<String> isServed = _ -> true;
    private boolean neverReady;
    private boolean seenLate;
    private boolean namedLate;
    private long delay;
    private int mostAtOnce;
    private int purchases;
    private Cost billed = Cost.ZERO;

    FakeSeller(String catalogue, long delay) {
        this.catalogue = ManifestFile.read(
                        new ByteArrayInputStream(catalogue.getBytes(StandardCharsets.UTF_8)), "catalogue")
                .nodes();
        this.delay = delay;
    }

    final List<Node> catalogue() {
        return catalogue;
    }

    final void serve(WholeReplica served, PurchaseWatch how) {
        replica = served;
        watch = how;
    }

    final WholeReplica replica() {
        return Objects.requireNonNull(replica);
    }

    final PurchaseWatch watch() {
        return Objects.requireNonNull(watch);
    }

    /** Sets which offers have capacity from now on. */
    public final void serving(Predicate<String> offers) {
        isServed = offers;
    }

    final boolean serves(String offer) {
        return isServed.test(offer);
    }

    /** Sets whether new nodes never become ready. */
    public final void neverReady(boolean never) {
        neverReady = never;
    }

    final boolean isNeverReady() {
        return neverReady;
    }

    /** Sets whether purchases stay invisible until this is set to false. */
    public final void seenLate(boolean late) {
        seenLate = late;
    }

    final boolean isSeenLate() {
        return seenLate;
    }

    /** Sets whether nodes appear before their purchase names them, until this is set to false. */
    public final void namedLate(boolean late) {
        namedLate = late;
    }

    final boolean isNamedLate() {
        return namedLate;
    }

    /** Sets the delay of nodes from now on, seconds. */
    public final void taking(long seconds) {
        delay = seconds;
    }

    final long delay() {
        return delay;
    }

    /** The points at which the replica dies: before-keep, after-keep, before-buy, after-buy, before-give-up, ... */
    public final void killing(Predicate<String> points) {
        killing = points;
    }

    final void die(String point) {
        if (killing.test(point)) {
            throw new Killed();
        }
    }

    /** The names of the purchases that are not given up. */
    public abstract List<String> claims();

    public abstract List<String> nodesThere();

    /** Makes the nodes that are ready in this second. */
    public abstract void go();

    /** Removes a node, as a cloud reclaims a spot node. */
    public abstract void takeAway(String name);

    /** The largest number of nodes that existed at the same time. */
    public final int mostAtOnce() {
        return mostAtOnce;
    }

    public final int purchases() {
        return purchases;
    }

    public final Cost billed() {
        return billed;
    }

    public final SortedMap<String, Expense> costs() {
        return kept.expenses();
    }

    /** The books that the next replica reads. */
    public final PurchaseBooks kept() {
        return kept;
    }

    @Override
    public final boolean isServed() {
        return watch().isServed();
    }

    @Override
    public final SortedMap<String, Supplied> nodes() {
        return watch().supplied();
    }

    @Override
    public final boolean buy(PurchaseOrder order, GangId gang) {
        die("before-buy");
        if (claims().contains(order.node())) {
            return true;
        }
        CatalogueOffer offer = watch().open(order.offer());
        if (offer == null) {
            return false;
        }
        purchases++;
        sell(order, offer, gang);
        mostAtOnce = Math.max(mostAtOnce, claims().size());
        if (serves(order.offer())) {
            billed = billed.plus(new Cost(order.bill()));
        }
        die("after-buy");
        return true;
    }

    /** Creates the objects of a purchase. Without capacity, no node follows. */
    abstract void sell(PurchaseOrder order, CatalogueOffer offer, GangId gang);

    @Override
    public final void giveUp(Supplied node) {
        die("before-give-up");
        take(node);
    }

    abstract void take(Supplied node);

    @Override
    public final Optional<PurchaseBooks> books() {
        return Optional.of(kept);
    }

    @Override
    public final boolean keep(PurchaseBooks books) {
        die("before-keep");
        kept = books;
        die("after-keep");
        return true;
    }
}
