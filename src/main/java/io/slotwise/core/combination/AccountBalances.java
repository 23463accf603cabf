package io.slotwise.core.combination;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The balance of every account while a cycle gives out windows. Used for one planning run. A window is charged to one
 * account of each of its gang's holders that has accounts: its namespace, its queue and the queues above.
 */
public final class AccountBalances {
    private final Map<String, List<Account>> accounts = new HashMap<>();
    private final Function<GangId, List<String>> holders;

    /** Charges beyond the balance of a snapshot's account stay owed until they are rolled back. */
    private final Map<Account, Cost> charged = new HashMap<>();

    /** The most that a window may cost if it starts from {@code start} until before {@code end}. */
    public record Span(long start, long end, Cost maxCost) {}

    /** Balances of namespaces alone. Precondition: the periods of one namespace do not overlap. */
    public AccountBalances(List<Account> given) {
        this(given, gang -> List.of(gang.namespace()));
    }

    /**
     * Precondition: the periods of one holder do not overlap.
     *
     * @param holders the holders whose accounts pay for a gang; those without accounts are ignored
     */
    public AccountBalances(List<Account> given, Function<GangId, List<String>> holders) {
        this.holders = holders;
        for (Account account : given.stream().sorted().toList()) {
            List<Account> periods = accounts.computeIfAbsent(account.holder(), _ -> new ArrayList<>());
            if (!periods.isEmpty() && periods.getLast().end() > account.start()) {
                throw new IllegalArgumentException("The periods of the accounts of %s must not overlap: %s, %s."
                        .formatted(Account.words(account.holder()), periods.getLast(), account));
            }
            periods.add(account);
        }
    }

    /** Returns the accounts that a window is charged to, as given. */
    public List<Account> payers(Window window) {
        return holders.apply(window.gang()).stream()
                .flatMap(holder -> given(holder, window.start()).stream())
                .toList();
    }

    /** Returns the account with the least left of those that a window is charged to, with its present balance. */
    public Optional<Account> of(Window window) {
        return payers(window).stream().map(this::left).min(Comparator.comparing(Account::left));
    }

    /** Returns the account of a holder for a window that starts in this second, with its present balance. */
    public Optional<Account> at(String holder, long second) {
        return given(holder, second).map(this::left);
    }

    private Optional<Account> given(String holder, long second) {
        return periods(holder).stream()
                .filter(account -> account.covers(second))
                .findFirst();
    }

    /** Returns one of the given accounts with its present balance. */
    public Account left(Account account) {
        return account.charged(charged.getOrDefault(account, Cost.ZERO));
    }

    private List<Account> periods(String holder) {
        return accounts.getOrDefault(holder, List.of());
    }

    /** Returns whether an account pays for windows of the gang. */
    public boolean bind(GangId gang) {
        return binding(gang).findAny().isPresent();
    }

    /** Returns whether several accounts pay for a window of the gang. */
    public boolean bindTogether(GangId gang) {
        return binding(gang).count() > 1;
    }

    private Stream<String> binding(GangId gang) {
        return holders.apply(gang).stream().filter(accounts::containsKey);
    }

    public boolean pay(Window window) {
        return of(window)
                .map(account -> window.cost().compareTo(account.left()) <= 0)
                .orElse(true);
    }

    /** Charges the window, even if an account cannot pay for it. */
    public void charge(Window window) {
        charge(window, window.cost());
    }

    public void refund(Window window) {
        charge(window, Cost.ZERO.minus(window.cost()));
    }

    private void charge(Window window, Cost cost) {
        payers(window).forEach(account -> charged.merge(account, cost, Cost::plus));
    }

    /** Returns the ranges of seconds in [from, to) with the most that the gang's window there may cost, in order. */
    public List<Span> spans(GangId gang, long from, long to) {
        List<Span> spans = List.of(new Span(from, to, Cost.UNLIMITED));
        for (String holder : binding(gang).toList()) {
            List<Span> narrower = new ArrayList<>();
            spans.forEach(span -> narrow(holder, span, narrower));
            spans = narrower;
        }
        return spans;
    }

    /** Adds the parts of a span in which the balances of a holder differ. */
    private void narrow(String holder, Span span, List<Span> narrower) {
        long reached = span.start();
        for (Account account : periods(holder)) {
            if (account.end() <= reached || account.start() >= span.end()) {
                continue;
            }
            if (account.start() > reached) {
                narrower.add(new Span(reached, account.start(), span.maxCost()));
            }
            reached = Math.max(reached, account.start());
            narrower.add(new Span(
                    reached,
                    Math.min(span.end(), account.end()),
                    span.maxCost().min(left(account).left())));
            reached = account.end();
        }
        if (reached < span.end()) {
            narrower.add(new Span(reached, span.end(), span.maxCost()));
        }
    }
}
