package io.slotwise.kubernetes.refusal;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.kubernetes.crd.v1alpha1.Epoch;
import java.net.HttpURLConnection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * An answer of the API server that will be the same for the same call until a person changes something.
 *
 * @param call that was refused
 * @param code of the answer
 * @param message of the answer
 */
public record ApiRefusal(ApiCall call, int code, String message) {
    private static final ApiCall WRITE = new ApiCall("update", "", "", "");
    private static final String TERMINATED = "because it is being terminated";
    private static final String NO_NAMESPACE = "namespaces \"";
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Pattern QUOTA = Pattern.compile("quota: ([^,]+)");
    private static final Pattern POLICY = Pattern.compile("AdmissionPolicy '([^']+)'");
    private static final Pattern WEBHOOK = Pattern.compile("admission webhook \"([^\"]+)\"");

    /** What refuses. */
    enum Cause {
        RIGHT,
        POLICY,
        QUOTA,
        OTHER
    }

    /**
     * Whether an answer is a refusal. Not one: 409 and 429, which pass; 401, for which the client reads its token
     * again;
     * 404 and 410 about an object, which is gone; and of reads anything but 403.
     */
    static boolean isRefusal(ApiCall call, int code) {
        return switch (code) {
            case HttpURLConnection.HTTP_FORBIDDEN -> true;
            case HttpURLConnection.HTTP_NOT_FOUND ->
                call.verb().equals("create") && call.name().isEmpty();
            case HttpURLConnection.HTTP_UNAUTHORIZED,
                    HttpURLConnection.HTTP_CLIENT_TIMEOUT,
                    HttpURLConnection.HTTP_CONFLICT,
                    HttpURLConnection.HTTP_GONE,
                    TOO_MANY_REQUESTS -> false;
            default ->
                !call.isRead()
                        && code >= HttpURLConnection.HTTP_BAD_REQUEST
                        && code < HttpURLConnection.HTTP_INTERNAL_ERROR;
        };
    }

    /** Whether a write failed because it was refused, and not because another replica leads. */
    public static boolean isRefusal(KubernetesClientException e) {
        ApiRefusal refusal = new ApiRefusal(WRITE, e.getCode(), words(e));
        return isRefusal(WRITE, e.getCode()) && !refusal.isPassing();
    }

    /** Whether a write failed since its namespace is about to go, and all objects in it. */
    public static boolean endsWithItsNamespace(KubernetesClientException e) {
        String words = words(e);
        return words.contains(TERMINATED) || words.startsWith(NO_NAMESPACE);
    }

    /** How loudly a write that failed is logged: what is refused has been told. */
    public static Logger.Level level(KubernetesClientException e) {
        return isRefusal(e) ? Logger.Level.DEBUG : Logger.Level.WARN;
    }

    /** What the API server says of a failure. */
    public static String words(KubernetesClientException e) {
        return e.getStatus() != null && e.getStatus().getMessage() != null
                ? e.getStatus().getMessage()
                : String.valueOf(e.getMessage());
    }

    /** Whether it ends by itself: another replica leads, the namespace is about to go, or the API server just began. */
    boolean isPassing() {
        return Epoch.isOld(message)
                || message.contains(TERMINATED)
                || message.contains("not yet ready to handle request")
                || message.startsWith(NO_NAMESPACE);
    }

    Cause cause() {
        if (QUOTA.matcher(message).find()) {
            return Cause.QUOTA;
        }
        if (POLICY.matcher(message).find() || WEBHOOK.matcher(message).find()) {
            return Cause.POLICY;
        }
        return code == HttpURLConnection.HTTP_FORBIDDEN && message.contains("cannot ") ? Cause.RIGHT : Cause.OTHER;
    }

    /** The same without the names of the object and its namespace: it may be about others as well. */
    ApiRefusal inGeneral() {
        return new ApiRefusal(call, code, without(without(message, call.name()), call.namespace()));
    }

    private static String without(String words, String name) {
        return name.isEmpty() ? words : words.replace('"' + name + '"', "\"...\"");
    }

    /**
     * What a namespace is told whose call waits because others were refused: nothing of the answer, which may have what
     * people wrote in theirs.
     *
     * @param call the call that waits
     * @param account whose calls these are
     */
    ApiRefusal elsewhere(ApiCall call, String account) {
        Cause cause = cause();
        ApiRefusal refusal = new ApiRefusal(call, code, "");
        return new ApiRefusal(
                call,
                code,
                ("account %s is refused this in several namespaces, %s; the log of the leader has the answer. Maybe "
                                + "ask an administrator to %s")
                        .formatted(
                                account,
                                switch (cause) {
                                    case RIGHT -> "for want of a right";
                                    case POLICY -> "by a policy or a webhook";
                                    case QUOTA, OTHER -> "with code " + code;
                                },
                                refusal.advice(cause)));
    }

    /** Whether both are refused for one reason: names and values in quotes, and numbers, are those of the object. */
    boolean isLike(ApiRefusal other) {
        return code == other.code && reason().equals(other.reason());
    }

    private String reason() {
        return message.replaceAll("\"[^\"]*\"|[0-9]+", "");
    }

    /** The call and the answer, for people whom the object's name tells nothing new. */
    public String words() {
        return call.what() + ": " + inGeneral().message;
    }

    /** What an admin can do, after "Maybe". */
    String advice() {
        return advice(cause());
    }

    private String advice(Cause cause) {
        return switch (cause) {
            case RIGHT ->
                ("grant the account the right to %s (Helm value rbac.create), and check it: "
                                + "kubectl auth can-i %s %s%s --as ACCOUNT")
                        .formatted(
                                call.what(),
                                call.verb(),
                                call.resource().replaceFirst("/(.*)", " --subresource=$1"),
                                call.namespace().isEmpty() ? "" : " -n " + call.namespace());
            case POLICY ->
                "run Slotwise as the account of the chart's release (serviceAccount), or change %s"
                        .formatted(named("the policy ", POLICY, named("the webhook ", WEBHOOK, "the policy")));
            case QUOTA ->
                "raise %s in namespace %s".formatted(named("the ResourceQuota ", QUOTA, "the quota"), call.namespace());
            case OTHER -> "change what the API server names; the definitions of the chart may be of another version";
        };
    }

    private String named(String kind, Pattern pattern, String otherwise) {
        Matcher name = pattern.matcher(message);
        return name.find() ? kind + name.group(1) : otherwise;
    }

    /** The answer once more. */
    KubernetesClientException again() {
        return new KubernetesClientException(
                message,
                code,
                new StatusBuilder()
                        .withStatus("Failure")
                        .withCode(code)
                        .withMessage(message)
                        .build());
    }
}
