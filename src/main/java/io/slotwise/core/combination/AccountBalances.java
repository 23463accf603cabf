package io.slotwise.core.combination;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The balance of every account while a cycle gives out windows. Used for one planning run. */
public final class AccountBalances {
    private final Map<String, List<Account>> accounts = new HashMap<>();

    /** Charges beyond the balance of a snapshot's account stay owed until they are rolled back. */
    private final Map<Account, Cost> charged = new HashMap<>();

    /** The most that a window may cost if it starts from {@code start} until before {@code end}. */
    public record Span(long start, long end, Cost maxCost) {}

    /** Precondition: the periods of one namespace do not overlap. */
    public AccountBalances(List<Account> given) {
        for (Account account : given.stream().sorted().toList()) {
            List<Account> periods = accounts.computeIfAbsent(account.namespace(), _ -> new ArrayList<>());
            if (!periods.isEmpty() && periods.getLast().end() > account.start()) {
                throw new IllegalArgumentException(
                        "The periods of the accounts of namespace (%s) must not overlap: %s, %s."
                                .formatted(account.namespace(), periods.getLast(), account));
            }
            periods.add(account);
        }
    }

    /** Returns the account that a window is charged to, with its present balance. */
    public Optional<Account> of(Window window) {
        return at(window.gang().namespace(), window.start());
    }

    /** Returns the account for a window of a namespace that starts in this second, with its present balance. */
    public Optional<Account> at(String namespace, long second) {
        return given(namespace, second).map(this::left);
    }

    private Optional<Account> given(String namespace, long second) {
        return periods(namespace).stream()
                .filter(account -> account.covers(second))
                .findFirst();
    }

    private Account left(Account account) {
        return account.charged(charged.getOrDefault(account, Cost.ZERO));
    }

    private List<Account> periods(String namespace) {
        return accounts.getOrDefault(namespace, List.of());
    }

    public boolean bind(String namespace) {
        return accounts.containsKey(namespace);
    }

    public boolean pay(Window window) {
        return of(window)
                .map(account -> window.cost().compareTo(account.left()) <= 0)
                .orElse(true);
    }

    /** Charges the window, even if the account cannot pay for it. */
    public void charge(Window window) {
        charge(window, window.cost());
    }

    public void refund(Window window) {
        charge(window, Cost.ZERO.minus(window.cost()));
    }

    private void charge(Window window, Cost cost) {
        given(window.gang().namespace(), window.start()).ifPresent(account -> charged.merge(account, cost, Cost::plus));
    }

    /** Returns the ranges of seconds in [from, to) with the most that a window starting there may cost, in order. */
    public List<Span> spans(String namespace, long from, long to) {
        List<Span> spans = new ArrayList<>();
        long reached = from;
        for (Account account : periods(namespace)) {
            if (account.end() <= reached || account.start() >= to) {
                continue;
            }
            if (account.start() > reached) {
                spans.add(new Span(reached, account.start(), Cost.UNLIMITED));
            }
            reached = Math.max(reached, account.start());
            spans.add(
                    new Span(reached, Math.min(to, account.end()), left(account).left()));
            reached = account.end();
        }
        if (reached < to) {
            spans.add(new Span(reached, to, Cost.UNLIMITED));
        }
        return spans;
    }
}
