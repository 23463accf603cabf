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
 * Who makes nodes as far as a replica sees it: after a delay, or never. A call may end with {@link Killed}, before or
 * after what it does.
 */
public abstract class FakeSeller implements NodeSupplier {
    /** The replica dies in the middle of a call. */
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

    final void serve(WholeReplica whom, PurchaseWatch how) {
        replica = whom;
        watch = how;
    }

    final WholeReplica replica() {
        return Objects.requireNonNull(replica);
    }

    final PurchaseWatch watch() {
        return Objects.requireNonNull(watch);
    }

    /** Whether there is capacity for an offer, from now on. */
    public final void serving(Predicate<String> offers) {
        isServed = offers;
    }

    final boolean serves(String offer) {
        return isServed.test(offer);
    }

    /** Whether no node becomes ready any more. */
    public final void neverReady(boolean never) {
        neverReady = never;
    }

    final boolean isNeverReady() {
        return neverReady;
    }

    /** Whether what is bought is seen only once this is over. */
    public final void seenLate(boolean late) {
        seenLate = late;
    }

    final boolean isSeenLate() {
        return seenLate;
    }

    /** Whether nodes are there before what they were bought with names them, until this is over. */
    public final void namedLate(boolean late) {
        namedLate = late;
    }

    final boolean isNamedLate() {
        return namedLate;
    }

    /** How long nodes take from now on, seconds. */
    public final void taking(long seconds) {
        delay = seconds;
    }

    final long delay() {
        return delay;
    }

    /** Whether the replica dies at a point: before-keep, after-keep, before-buy, after-buy, before-give-up and more. */
    public final void killing(Predicate<String> points) {
        killing = points;
    }

    final void die(String point) {
        if (killing.test(point)) {
            throw new Killed();
        }
    }

    /** The names of what is bought and not given up. */
    public abstract List<String> claims();

    /** The names of the nodes that are there. */
    public abstract List<String> nodesThere();

    /** Makes the nodes that are ready in this second. */
    public abstract void go();

    /** A node goes, as a spot node does. */
    public abstract void takeAway(String name);

    /** How many nodes there ever were at the same time. */
    public final int mostAtOnce() {
        return mostAtOnce;
    }

    /** How many nodes were ever bought. */
    public final int purchases() {
        return purchases;
    }

    /** The bills of those that had a node. */
    public final Cost billed() {
        return billed;
    }

    /** What they have cost, as it is kept. */
    public final SortedMap<String, Expense> costs() {
        return kept.expenses();
    }

    /** What the next replica will know. */
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

    /** Makes the objects of a purchase; where there is no capacity nothing comes of it. */
    abstract void sell(PurchaseOrder order, CatalogueOffer offer, GangId gang);

    @Override
    public final void giveUp(Supplied node) {
        die("before-give-up");
        take(node);
    }

    /** Takes them away. */
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
