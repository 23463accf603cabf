package io.slotwise.kubernetes.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server who a caller is (TokenReview) and what the caller may do (SubjectAccessReview). Tokens of an
 * OpenID Connect issuer are verified here; their permissions are asked of the API server like all others.
 *
 * <p>An answer is valid for {@link #HOLDS}, the rejection of a token for {@link #REFUSAL_HOLDS}, so a revoked
 * permission may be used for that long. At most {@link #TOKENS} and {@link #RIGHTS} answers are kept, and only the
 * SHA-256 hash of a token.
 *
 * <p>At most {@link #AT_ONCE} questions of each kind are open at a time, so that permissions do not block sign-ins. For
 * one caller ({@link Caller#share}) at most {@link #OF_CALLER_AT_ONCE} questions about permissions are open, and at
 * most {@link #RIGHTS_OF_CALLER} are asked within {@link #HOLDS}, of which {@link #RIGHTS_OF_ROUND} may be for
 * namespaces that the caller did not name. Each question is asked once and answered within {@link #PATIENCE}. Any
 * failure is {@link ReviewFailed} and not cached. Callers block.
 */
public final class CallerReview {
    public static final Duration HOLDS = Duration.ofSeconds(30);

    static final Duration REFUSAL_HOLDS = Duration.ofSeconds(10);

    static final int TOKENS = 4096;
    static final int RIGHTS = 65_536;

    private static final Logger LOG = Logger.getLogger(CallerReview.class);
    private static final int AT_ONCE = 32;
    private static final int OF_CALLER_AT_ONCE = 8;
    static final int RIGHTS_OF_CALLER = 1_000;
    static final int RIGHTS_OF_ROUND = 800;
    /** The time for which a caller's round is kept after the last request. */
    private static final Duration ROUND_HOLDS = Duration.ofMinutes(10);

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** The end of what has none: far in the future, without overflow in calculations. */
    private static final Instant FOR_EVER = Instant.ofEpochSecond(Integer.MAX_VALUE * 100L);

    private final KubernetesClient client;
    private final List<String> audiences;
    private final @Nullable OidcIssuer issuer;
    private final Questions<String, Known> tokenQuestions;
    private final Questions<Asked, Boolean> rightQuestions;
    private final Semaphore freeOfTokens = new Semaphore(AT_ONCE);
    private final Semaphore freeOfRights = new Semaphore(AT_ONCE);
    private final Cache<String, Share> shares;
    private final Cache<Caller, Round> rounds;

    private record Asked(Caller caller, AccessRight right) {}

    /** The questions about permissions of callers with one {@link Caller#share}. */
    private record Share(Semaphore free, AtomicInteger asked) {}

    /**
     * The namespaces whose gangs a caller may read.
     *
     * @param isPartial whether some namespaces have not been checked yet, so that later answers may have more
     */
    public record ReadableNamespaces(Set<String> namespaces, boolean isPartial) {}

    /** A caller's progress through the namespaces, which are checked in order, repeatedly. */
    private static final class Round {
        /** The namespaces that the caller may read by the last answers; they are checked first each time. */
        private final NavigableSet<String> granted = new TreeSet<>();

        private String next = "";
        private boolean isOver;

        synchronized Set<String> granted() {
            return new TreeSet<>(granted);
        }

        synchronized String next() {
            return next;
        }

        /**
         * Takes answers.
         *
         * @param began the beginning of this turn
         * @param end the beginning of the next one; null if all were checked
         * @return whether some were never checked
         */
        synchronized boolean goOn(Map<String, Boolean> answers, String began, @Nullable String end) {
            answers.forEach((namespace, mayRead) -> {
                if (mayRead) {
                    granted.add(namespace);
                } else {
                    granted.remove(namespace);
                }
            });
            isOver |= end == null || end.compareTo(began) < 0;
            if (next.equals(began)) {
                next = end == null ? "" : end;
            }
            return !isOver;
        }
    }

    /**
     * The answer about a token.
     *
     * @param caller its owner, or null
     * @param why why it has no owner, as far as known
     * @param until when the answer expires
     */
    private record Known(@Nullable Caller caller, String why, Instant until) {}

    /**
     * Creates a review by a client's cluster, which needs the permission to create both kinds of reviews.
     *
     * @param audiences audiences of which a token must have one, so that a stolen token may be useless elsewhere; empty
     *     for the API server's own
     * @param oidc an additional issuer, or null
     */
    public CallerReview(KubernetesClient client, List<String> audiences, @Nullable OidcSettings oidc) {
        this(client, audiences, oidc, System::nanoTime, InstantSource.system());
    }

    CallerReview(
            KubernetesClient client,
            List<String> audiences,
            @Nullable OidcSettings oidc,
            LongSupplier nanos,
            InstantSource clock) {
        this.audiences = List.copyOf(audiences);
        this.issuer = oidc == null ? null : new OidcIssuer(oidc, clock);
        this.client = client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout(Math.toIntExact(PATIENCE.toMillis()))
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
        this.tokenQuestions = new Questions<>(TOKENS, PATIENCE, (_, known) -> holds(known, clock.instant()), nanos);
        this.rightQuestions = new Questions<>(RIGHTS, PATIENCE, (_, _) -> HOLDS, nanos);
        this.shares = Caffeine.newBuilder()
                .maximumSize(TOKENS)
                .expireAfterWrite(HOLDS)
                .ticker(nanos::getAsLong)
                .build();
        this.rounds = Caffeine.newBuilder()
                .maximumSize(TOKENS)
                .expireAfterAccess(ROUND_HOLDS)
                .ticker(nanos::getAsLong)
                .build();
    }

    /** Returns the audiences of which a token must have one; empty for the API server's own. */
    public List<String> audiences() {
        return audiences;
    }

    /** Returns the additional issuer, or null. */
    public @Nullable URI issuer() {
        return issuer == null ? null : issuer.address();
    }

    /**
     * Returns the owner of a token. Null if it has none, is for another audience, or is not valid.
     *
     * @throws ReviewFailed if the API server or the issuer does not answer
     */
    public @Nullable Caller caller(String token) {
        return known(token).caller();
    }

    /** Returns why a token of the issuer has no owner. Empty if it has one, or if the API server gave no reason. */
    public String problem(String token) {
        return known(token).why();
    }

    private Known known(String token) {
        return tokenQuestions.ask(hash(token), () -> answer(token));
    }

    private static Duration holds(Known known, Instant now) {
        Duration left = Duration.between(now, known.until());
        Duration holds = known.caller() == null ? REFUSAL_HOLDS : HOLDS;
        return left.isNegative() ? Duration.ZERO : left.compareTo(holds) < 0 ? left : holds;
    }

    /** Looks up a token. The issuer verifies tokens that name it, and the API server all others. */
    private Known answer(String token) {
        if (issuer != null && issuer.isNamedBy(token)) {
            return switch (issuer.verify(token)) {
                case OidcIssuer.Verdict.Good good -> new Known(good.caller(), "", good.until());
                case OidcIssuer.Verdict.Bad bad -> new Known(null, bad.why(), FOR_EVER);
            };
        }
        return new Known(asked("TokenReview", freeOfTokens, () -> review(token)).orElse(null), "", FOR_EVER);
    }

    /**
     * Returns whether a caller has a permission.
     *
     * @throws ReviewFailed if the API server does not answer, or too many permissions of the caller were asked for
     */
    public boolean may(Caller caller, AccessRight right) {
        return rightQuestions.ask(new Asked(caller, right), () -> {
            Share share = share(caller);
            if (share.asked().incrementAndGet() > RIGHTS_OF_CALLER) {
                throw ReviewFailed.tooMany(RIGHTS_OF_CALLER);
            }
            return review(share, caller, right);
        });
    }

    private Share share(Caller caller) {
        return shares.get(caller.share(), _ -> new Share(new Semaphore(OF_CALLER_AT_ONCE), new AtomicInteger()));
    }

    private boolean review(Share share, Caller caller, AccessRight right) {
        return within(share.free(), () -> asked("SubjectAccessReview", freeOfRights, () -> review(caller, right)));
    }

    /**
     * Returns the namespaces of these whose gangs a caller may read, as far as the limit allows asking now. It first
     * asks about namespaces that were granted before, then continues where it stopped the last time, so that all are
     * known after some turns.
     *
     * @throws ReviewFailed if the API server does not answer
     */
    public ReadableNamespaces readable(Caller caller, Set<String> namespaces) {
        Share share = share(caller);
        Round round = rounds.get(caller, _ -> new Round());
        String began = round.next();
        Set<String> granted = round.granted();
        List<String> asked = new ArrayList<>();
        boolean isPartial = false;
        for (String namespace : granted) {
            if (namespaces.contains(namespace)) {
                if (isAllowed(share, caller, namespace, RIGHTS_OF_CALLER)) {
                    asked.add(namespace);
                } else {
                    isPartial = true;
                }
            }
        }
        NavigableSet<String> open = new TreeSet<>(namespaces);
        open.removeAll(granted);
        String end = null;
        List<String> inTurn = new ArrayList<>(open.tailSet(began));
        inTurn.addAll(open.headSet(began));
        for (String namespace : inTurn) {
            if (!isAllowed(share, caller, namespace, RIGHTS_OF_ROUND - granted.size())) {
                end = namespace;
                break;
            }
            asked.add(namespace);
        }
        Map<String, Boolean> answers = sideBySide(asked, namespace -> {
            AccessRight right = AccessRight.readIn(namespace);
            return rightQuestions.ask(new Asked(caller, right), () -> review(share, caller, right));
        });
        isPartial |= round.goOn(answers, began, end);
        Set<String> readable = new TreeSet<>(answers.keySet());
        readable.removeIf(namespace -> !Boolean.TRUE.equals(answers.get(namespace)));
        return new ReadableNamespaces(readable, isPartial);
    }

    /** Returns whether the answer for a namespace is known, or may be asked for now. */
    private boolean isAllowed(Share share, Caller caller, String namespace, int most) {
        if (rightQuestions.isKnown(new Asked(caller, AccessRight.readIn(namespace)))) {
            return true;
        }
        boolean allowed = share.asked().get() < most;
        if (allowed) {
            share.asked().incrementAndGet();
        }
        return allowed;
    }

    private static <T, R> Map<T, R> sideBySide(List<T> questions, Function<T, R> ask) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<T, CompletableFuture<R>> answers = new LinkedHashMap<>();
            questions.forEach(question ->
                    answers.put(question, CompletableFuture.supplyAsync(() -> ask.apply(question), threads)));
            Map<T, R> all = new LinkedHashMap<>();
            answers.forEach((question, answer) -> all.put(question, answer.join()));
            return all;
        } catch (CompletionException e) {
            if (e.getCause() instanceof ReviewFailed failed) {
                throw failed;
            }
            throw e;
        }
    }

    private static <T> T within(Semaphore free, Supplier<T> question) {
        try {
            if (!free.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw ReviewFailed.slow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ReviewFailed.interrupted();
        }
        try {
            return question.get();
        } finally {
            free.release();
        }
    }

    private static <T> T asked(String kind, Semaphore free, Supplier<T> question) {
        try {
            return within(free, question);
        } catch (KubernetesClientException e) {
            LOG.warnf("the API server does not answer a %s, and the request is rejected: %s", kind, e.getMessage());
            throw new ReviewFailed("TokenReview or SubjectAccessReview failed; try again");
        }
    }

    private Optional<Caller> review(String token) {
        TokenReview answer = client.tokenReviews()
                .create(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(token)
                        .withAudiences(audiences)
                        .endSpec()
                        .build());
        UserInfo user = answer.getStatus() == null ? null : answer.getStatus().getUser();
        return user == null
                        || user.getUsername() == null
                        || user.getUsername().isEmpty()
                        || !Boolean.TRUE.equals(answer.getStatus().getAuthenticated())
                        || !isForUs(answer.getStatus().getAudiences())
                ? Optional.empty()
                : Optional.of(new Caller(
                        user.getUsername(),
                        Objects.requireNonNullElse(user.getUid(), ""),
                        Objects.requireNonNullElse(user.getGroups(), List.of()),
                        Objects.requireNonNullElse(user.getExtra(), Map.of())));
    }

    /**
     * Returns whether a token is for Slotwise. An authenticator without support for audiences returns none, and then
     * has not confirmed it.
     */
    private boolean isForUs(@Nullable List<String> confirmed) {
        return audiences.isEmpty() || (confirmed != null && !Collections.disjoint(confirmed, audiences));
    }

    private boolean review(Caller caller, AccessRight right) {
        SubjectAccessReviewBuilder question = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(caller.name())
                .withUid(caller.uid().isEmpty() ? null : caller.uid())
                .withGroups(caller.groups())
                .withExtra(caller.extra())
                .endSpec();
        SubjectAccessReviewBuilder whole = switch (right) {
            case AccessRight.ToObjects objects ->
                question.editSpec()
                        .withNewResourceAttributes()
                        .withVerb(objects.verb())
                        .withGroup(objects.group())
                        .withResource(objects.resource())
                        .withNamespace(objects.namespace())
                        .endResourceAttributes()
                        .endSpec();
            case AccessRight.ToPath path ->
                question.editSpec()
                        .withNewNonResourceAttributes()
                        .withVerb(path.verb())
                        .withPath(path.path())
                        .endNonResourceAttributes()
                        .endSpec();
        };
        SubjectAccessReview answer =
                client.authorization().v1().subjectAccessReview().create(whole.build());
        return answer.getStatus() != null
                && Boolean.TRUE.equals(answer.getStatus().getAllowed())
                && !Boolean.TRUE.equals(answer.getStatus().getDenied());
    }

    private static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java knows SHA-256.", e);
        }
    }
}
