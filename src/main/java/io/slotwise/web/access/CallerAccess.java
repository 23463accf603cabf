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
 * What one caller may see. A person sees the gangs of a namespace who may {@code list reservations.slotwise.io} there,
 * and what belongs to the cluster as a whole who may do so in all namespaces, which is asked first. All methods may
 * wait for the API server; they throw {@link AccessDenied} where it does not say, and where the caller may not.
 */
public final class CallerAccess {
    private static final String KEY = CallerAccess.class.getName();

    private final @Nullable Person person;

    /** Namespaces without gangs that are looked at for a person who sees no gang, so that a first one can come. */
    static final int MOST_WITHOUT_GANGS = 100;

    private record Person(CallerReview review, String token, Caller caller, boolean cookie, Namespaces namespaces) {}

    /**
     * The namespaces about which there is something to ask.
     *
     * @param withGangs those with gangs or advance reservations
     * @param all that there are
     */
    record Namespaces(Supplier<? extends Set<String>> withGangs, Supplier<? extends Set<String>> all) {}

    private CallerAccess(@Nullable Person person) {
        this.person = person;
    }

    /** Where no caller is asked who they are. */
    static CallerAccess ofAnybody() {
        return new CallerAccess(null);
    }

    /**
     * What the owner of a token may see.
     *
     * @param cookie whether a browser sent the token by itself
     */
    static CallerAccess of(CallerReview review, String token, boolean cookie, Namespaces namespaces) {
        try {
            Caller caller = review.caller(token);
            if (caller == null) {
                throw AccessDenied.unknown(refusal(review, token));
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

    /** The first audience after a word, if one is asked for. */
    private static String audience(CallerReview review, String word) {
        return review.audiences().isEmpty() ? "" : word + review.audiences().getFirst();
    }

    /** That of a call. */
    public static CallerAccess of(RoutingContext call) {
        CallerAccess access = call.get(KEY);
        if (access == null) {
            throw AccessDenied.unknown("the request was not authenticated");
        }
        return access;
    }

    void leaveWith(RoutingContext call) {
        call.put(KEY, this);
    }

    /** Who it is; null: no caller is asked. */
    public @Nullable String name() {
        return person == null ? null : person.caller().name();
    }

    /** Whose share of turns and event streams the caller uses; null: no caller is asked. */
    public @Nullable String share() {
        return person == null ? null : person.caller().share();
    }

    /** Whether the call comes from a browser that is signed in. */
    boolean isSignedIn() {
        return person != null && person.cookie();
    }

    /** The same a while later. */
    public CallerAccess renewed() {
        return person == null ? this : of(person.review(), person.token(), person.cookie(), person.namespaces());
    }

    /** Insists on a right. */
    void require(AccessRight right) {
        if (!may(right)) {
            throw AccessDenied.forbidden("%s may not %s".formatted(name(), right.words()));
        }
    }

    /** Insists on the gangs of a namespace. */
    public void requireGangsOf(String namespace) {
        if (!may(AccessRight.READ_ALL)) {
            require(AccessRight.readIn(namespace));
        }
    }

    /** Insists on the gangs of all namespaces, and what belongs to the cluster as a whole. */
    public void requireEverything() {
        require(AccessRight.READ_ALL);
    }

    /**
     * Insists on asking what a gang that does not exist could have.
     *
     * @param namespace where it would be; null: not stated
     * @throws AccessDenied if they may not make pods there, or, without a namespace, see no gangs anywhere
     */
    public void requireQuoteIn(@Nullable String namespace) {
        if (namespace == null) {
            scope();
        } else {
            require(AccessRight.podsIn(namespace));
        }
    }

    /** What an answer is limited to. */
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

    /** What an answer about a namespace is limited to: other namespaces may be named in it. */
    public NamespaceScope scopeIn(String namespace) {
        requireGangsOf(namespace);
        NamespaceScope scope = seen();
        Set<String> seen = new HashSet<>(scope.namespaces());
        seen.add(namespace);
        return scope.everything() ? scope : new NamespaceScope(false, seen, scope.isPartial());
    }

    /** What may be named in an answer that is given in any case; of a person who sees no gangs nothing. */
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
