package io.slotwise.kubernetes.refusal;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.kubernetes.crd.v1alpha1.Epoch;
import java.net.HttpURLConnection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * An answer of the API server that stays the same for the same call until a person changes something.
 *
 * @param call the refused call
 */
public record ApiRefusal(ApiCall call, int code, String message) {
    private static final ApiCall WRITE = new ApiCall("update", "", "", "");
    private static final String TERMINATED = "because it is being terminated";
    private static final String NO_NAMESPACE = "namespaces \"";
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Pattern QUOTA = Pattern.compile("quota: ([^,]+)");
    private static final Pattern POLICY = Pattern.compile("AdmissionPolicy '([^']+)'");
    private static final Pattern WEBHOOK = Pattern.compile("admission webhook \"([^\"]+)\"");

    /** The kind of refusal. */
    enum Cause {
        RIGHT,
        POLICY,
        QUOTA,
        OTHER
    }

    /**
     * Returns whether an answer is a refusal. Excluded are 409 and 429, which pass, and 401, after which the client
     * reads its token again. Also excluded are 404 and 410 about an object, which is gone, and anything but 403 for
     * reads.
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

    /** Returns whether a write failed by a refusal, and not because another replica leads. */
    public static boolean isRefusal(KubernetesClientException e) {
        ApiRefusal refusal = new ApiRefusal(WRITE, e.getCode(), words(e));
        return isRefusal(WRITE, e.getCode()) && !refusal.isPassing();
    }

    /** Returns whether a write failed because its namespace is being deleted. */
    public static boolean endsWithItsNamespace(KubernetesClientException e) {
        String words = words(e);
        return words.contains(TERMINATED) || words.startsWith(NO_NAMESPACE);
    }

    /** Returns the log level of a failed write. Refusals are reported elsewhere. */
    public static Logger.Level level(KubernetesClientException e) {
        return isRefusal(e) ? Logger.Level.DEBUG : Logger.Level.WARN;
    }

    /** Returns the API server's message about a failure. */
    public static String words(KubernetesClientException e) {
        return e.getStatus() != null && e.getStatus().getMessage() != null
                ? e.getStatus().getMessage()
                : String.valueOf(e.getMessage());
    }

    /**
     * Returns whether the refusal ends by itself: another replica leads, the namespace is being deleted, or the API
     * server has just started.
     */
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

    /** Returns the refusal without the names of the object and its namespace, for calls about others. */
    ApiRefusal inGeneral() {
        return new ApiRefusal(call, code, without(without(message, call.name()), call.namespace()));
    }

    private static String without(String words, String name) {
        return name.isEmpty() ? words : words.replace('"' + name + '"', "\"...\"");
    }

    /**
     * Returns what a namespace learns whose call waits because others were refused. It excludes the answer, which may
     * contain texts of other users.
     *
     * @param call the waiting call
     * @param account the account of these calls
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

    /**
     * Returns whether two refusals have the same reason. Names and values in quotes, and numbers, depend on the object
     * and do not count.
     */
    boolean isLike(ApiRefusal other) {
        return code == other.code && reason().equals(other.reason());
    }

    private String reason() {
        return message.replaceAll("\"[^\"]*\"|[0-9]+", "");
    }

    /** Returns the call and the answer in words, without the object's name. */
    public String words() {
        return call.what() + ": " + inGeneral().message;
    }

    /** Returns an action for an admin, in words after "Maybe". */
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
