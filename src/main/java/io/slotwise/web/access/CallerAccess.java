package io.slotwise.web.access;

import io.slotwise.kubernetes.access.AccessRight;
import io.slotwise.kubernetes.access.Caller;
import io.slotwise.kubernetes.access.CallerReview;
import io.slotwise.kubernetes.access.ReviewFailed;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The access of one caller. A person sees the gangs of a namespace with the right to {@code list
 * reservations.slotwise.io} there, and cluster-wide data with that right everywhere, which is checked first. All
 * methods may wait for the API server. They throw {@link AccessDenied} if it does not answer or the caller lacks the
 * right.
 */
public final class CallerAccess {
    private static final String KEY = CallerAccess.class.getName();

    private final @Nullable Person person;

    /** The most namespaces without gangs that are checked for a person who sees no gang yet. */
    static final int MOST_WITHOUT_GANGS = 100;

    private record Person(CallerReview review, String token, Caller caller, boolean cookie, Namespaces namespaces) {}

    record Namespaces(Supplier<? extends Set<String>> withGangs, Supplier<? extends Set<String>> all) {}

    private CallerAccess(@Nullable Person person) {
        this.person = person;
    }

    static CallerAccess ofAnybody() {
        return new CallerAccess(null);
    }

    /** Returns the access of the owner of a token; {@code cookie} tells whether a browser sent the token by itself. */
    static CallerAccess of(CallerReview review, String token, boolean cookie, Namespaces namespaces) {
        try {
            Caller caller = review.caller(token);
            if (caller == null) {
                throw AccessDenied.unauthenticated(refusal(review, token));
            }
            return new CallerAccess(new Person(review, token, caller, cookie, namespaces));
        } catch (ReviewFailed e) {
            throw AccessDenied.unanswered(e);
        }
    }

    private static String refusal(CallerReview review, String token) {
        String problem = review.problem(token);
        String another = review.issuer() == null ? "" : " or one of %s".formatted(review.issuer());
        return problem.isEmpty()
                ? ("the token is not valid for this cluster%s, or it has expired: expected a new one, such "
                                + "as the output of `kubectl create token%s`%s")
                        .formatted(audience(review, " and "), audience(review, " --audience="), another)
                : "the token of %s is rejected (%s): expected a new one".formatted(review.issuer(), problem);
    }

    /** Returns the first required audience after a word. Empty if none is required. */
    private static String audience(CallerReview review, String word) {
        return review.audiences().isEmpty() ? "" : word + review.audiences().getFirst();
    }

    public static CallerAccess of(RoutingContext call) {
        CallerAccess access = call.get(KEY);
        if (access == null) {
            throw AccessDenied.unauthenticated("the request was not authenticated");
        }
        return access;
    }

    void leaveWith(RoutingContext call) {
        call.put(KEY, this);
    }

    /** Returns the caller's name. Null if authentication is off. */
    public @Nullable String name() {
        return person == null ? null : person.caller().name();
    }

    /** Returns whose share of turns and event streams the caller uses. Null if authentication is off. */
    public @Nullable String share() {
        return person == null ? null : person.caller().share();
    }

    boolean isSignedIn() {
        return person != null && person.cookie();
    }

    /** Checks the caller again. */
    public CallerAccess renewed() {
        return person == null ? this : of(person.review(), person.token(), person.cookie(), person.namespaces());
    }

    void require(AccessRight right) {
        if (!may(right)) {
            throw AccessDenied.forbidden("%s may not %s".formatted(name(), right.words()));
        }
    }

    public void requireGangsOf(String namespace) {
        if (!may(AccessRight.READ_ALL)) {
            require(AccessRight.readIn(namespace));
        }
    }

    /** Requires access to the gangs of all namespaces and to cluster-wide data. */
    public void requireEverything() {
        require(AccessRight.READ_ALL);
    }

    /**
     * Requires the right to a quote for a gang that does not exist: to create pods in its namespace or, without one, to
     * see gangs anywhere.
     */
    public void requireQuoteIn(@Nullable String namespace) {
        if (namespace == null) {
            scope();
        } else {
            require(AccessRight.podsIn(namespace));
        }
    }

    /** Returns the scope of an answer. Fails if the caller sees no namespace. */
    public NamespaceScope scope() {
        NamespaceScope scope = seen();
        if (!scope.everything() && scope.namespaces().isEmpty() && !seesOneWithoutGangs()) {
            if (scope.isPartial()) {
                throw AccessDenied.notYet(name());
            }
            throw AccessDenied.forbidden("%s may not list reservations.slotwise.io in any namespace".formatted(name()));
        }
        return scope;
    }

    private boolean seesOneWithoutGangs() {
        Person askingPerson = person;
        if (askingPerson == null) {
            return true;
        }
        Set<String> withGangs = askingPerson.namespaces().withGangs().get();
        return askingPerson.namespaces().all().get().stream()
                .filter(namespace -> !withGangs.contains(namespace))
                .sorted()
                .limit(MOST_WITHOUT_GANGS)
                .anyMatch(namespace -> may(AccessRight.readIn(namespace)));
    }

    /** Returns the scope of an answer about a namespace, in which other visible namespaces may be named. */
    public NamespaceScope scopeIn(String namespace) {
        requireGangsOf(namespace);
        NamespaceScope scope = seen();
        Set<String> seen = new HashSet<>(scope.namespaces());
        seen.add(namespace);
        return scope.everything() ? scope : new NamespaceScope(false, seen, scope.isPartial());
    }

    /** Returns the scope of an answer that is given in any case; empty for a person who sees no gangs. */
    public NamespaceScope seen() {
        Person askingPerson = person;
        if (askingPerson == null || may(AccessRight.READ_ALL)) {
            return NamespaceScope.EVERYTHING;
        }
        try {
            CallerReview.ReadableNamespaces readable = askingPerson
                    .review()
                    .readable(
                            askingPerson.caller(),
                            Set.copyOf(askingPerson.namespaces().withGangs().get()));
            return new NamespaceScope(false, readable.namespaces(), readable.isPartial());
        } catch (ReviewFailed e) {
            throw AccessDenied.unanswered(e);
        }
    }

    private boolean may(AccessRight right) {
        if (person == null) {
            return true;
        }
        try {
            return person.review().may(person.caller(), right);
        } catch (ReviewFailed e) {
            throw AccessDenied.unanswered(e);
        }
    }
}
