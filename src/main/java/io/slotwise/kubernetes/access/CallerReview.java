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
 * Asks the API server who a caller is (TokenReview) and what they may do (SubjectAccessReview). Whose the tokens of an
 * issuer of OpenID Connect are is found out here, what they may do is asked of the API server as for all others.
 *
 * <p>An answer holds for {@link #HOLDS}, a token's refusal for {@link #REFUSAL_HOLDS}: for this time a revoked
 * permission may still be used. {@link #TOKENS} and {@link #RIGHTS} answers are kept at most; of a token only its
 * SHA-256 hash. At most {@link #AT_ONCE} questions of either kind are open at a time, so that rights keep nobody from
 * signing in, and {@link #OF_CALLER_AT_ONCE} about the rights of one caller ({@link Caller#share}), of which
 * {@link #RIGHTS_OF_CALLER} are asked for within {@link #HOLDS}, {@link #RIGHTS_OF_ROUND} of them for namespaces that
 * nobody named. Each is asked once and answered within {@link #PATIENCE}; whatever else happens is
 * {@link ReviewFailed}, and not remembered. Callers wait: they must be on threads that may.
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
    /** For how long it is known how far a round is after its caller came last. */
    private static final Duration ROUND_HOLDS = Duration.ofMinutes(10);

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** The end of what has none, far enough away and not too far to count. */
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

    /** What is asked about the rights of callers with one {@link Caller#share}. */
    private record Share(Semaphore free, AtomicInteger asked) {}

    /**
     * The namespaces whose gangs a caller may read.
     *
     * @param isPartial whether others have not been asked for yet, so that later answers may have more
     */
    public record ReadableNamespaces(Set<String> namespaces, boolean isPartial) {}

    /** How far a caller's namespaces have been asked for, in their order, again and again. */
    private static final class Round {
        /** Where the caller may read by the last answer; they are asked for first each time. */
        private final NavigableSet<String> granted = new TreeSet<>();

        private String next = "";
        /** Whether each was asked for once. */
        private boolean isOver;

        synchronized Set<String> granted() {
            return new TreeSet<>(granted);
        }

        synchronized String next() {
            return next;
        }

        /**
         * Takes answers in.
         *
         * @param began where this turn began
         * @param end where the next one begins; null: all were asked for
         * @return whether some were never asked for
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
     * What is known of a token.
     *
     * @param caller whose it is; null: it belongs to no caller
     * @param why it belongs to no caller, as far as that was said
     * @param until how long it is good
     */
    private record Known(@Nullable Caller caller, String why, Instant until) {}

    /**
     * Asks the cluster of a client, which needs the right to create both kinds of reviews.
     *
     * @param audiences of which a token must have one, so that one that is stolen from here may be good for nothing
     *     else; none: the API server's own
     * @param oidc an issuer whose tokens count, too; null: none
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

    /** Of which a token must have one; none: the API server's own. */
    public List<String> audiences() {
        return audiences;
    }

    /** The issuer whose tokens count beside the cluster's; null: none. */
    public @Nullable URI issuer() {
        return issuer == null ? null : issuer.address();
    }

    /**
     * Whose a token is; null: it belongs to no caller, is for another recipient, or is not good any more.
     *
     * @throws ReviewFailed if the API server does not say, or the issuer
     */
    public @Nullable Caller caller(String token) {
        return known(token).caller();
    }

    /**
     * Why a token of the issuer belongs to no caller; empty: it belongs to a caller, or the API server has said only
     * that it belongs to none.
     */
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

    /** A token that names the issuer is the issuer's to judge, and all others are the API server's. */
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
     * Whether a caller has a right.
     *
     * @throws ReviewFailed if the API server does not say, or too many rights of the caller were asked for
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
     * Of these namespaces those whose gangs a caller may read, as far as so many rights may be asked for now. First it
     * asks for those that it has found before, then where it stopped the last time, so that some turns later all are
     * known.
     *
     * @throws ReviewFailed if the API server does not say
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

    /** Whether it is known what a caller may in a namespace, or may be asked for now. */
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
     * An authenticator that knows nothing of audiences names none: then it has not vouched that the token is for us.
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
