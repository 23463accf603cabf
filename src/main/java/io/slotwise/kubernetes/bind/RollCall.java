package io.slotwise.kubernetes.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last look before a gang is bound: are its nodes there, and are its pods still the ones that arrived? The API server would
 * bind a pod to a node that is gone, and a pod may be deleted while its call waits. All reads are made at the same time.
 */
final class RollCall {
    private final BindApi api;
    private final Rooms rooms;
    private final Executor executor;

    RollCall(BindApi api, Rooms rooms, Executor executor) {
        this.api = api;
        this.rooms = rooms;
        this.executor = executor;
    }

    /** What was found. */
    sealed interface Finding {
        /** Nothing stands in the way. */
        record Complete() implements Finding {}

        /** The gang cannot start as promised. */
        record Obstacle(String reason) implements Finding {}

        /** Not every question was answered. */
        record Unanswered() implements Finding {}
    }

    /** What the watch knows that stands in the way, or null. Asks nobody. */
    @Nullable
    String seenSince(List<Assembly.Member> members) {
        for (Map.Entry<String, List<BindRequest>> node : byNode(members).entrySet()) {
            String obstacle = rooms.obstacle(node.getKey(), node.getValue());
            if (obstacle != null) {
                return obstacle;
            }
        }
        return null;
    }

    private static Map<String, List<BindRequest>> byNode(List<Assembly.Member> members) {
        TreeMap<String, List<BindRequest>> nodes = new TreeMap<>();
        members.forEach(member -> nodes.computeIfAbsent(member.request().node(), node -> new ArrayList<>())
                .add(member.request()));
        return nodes;
    }

    /** Looks at the nodes, their rooms and the pods of all members; one request for each node and pod. */
    Finding of(List<Assembly.Member> members) {
        Map<String, List<BindRequest>> nodes = byNode(members);
        Stream<Supplier<Finding>> questions = Stream.concat(
                nodes.entrySet().stream().map(node -> () -> lookAt(node.getKey(), node.getValue())),
                members.stream().map(member -> () -> lookAt(member.request())));
        List<CompletableFuture<Finding>> answers = questions
                .map(question -> CompletableFuture.supplyAsync(question, executor))
                .toList();
        Finding worst = new Finding.Complete();
        for (CompletableFuture<Finding> answer : answers) {
            worst = worse(worst, answer.join());
        }
        return worst;
    }

    private static Finding worse(Finding one, Finding other) {
        if (one instanceof Finding.Obstacle || other instanceof Finding.Complete) {
            return one;
        }
        return other;
    }

    private Finding lookAt(String node, List<BindRequest> coming) {
        String obstacle = rooms.obstacle(node, coming);
        if (obstacle != null) {
            return new Finding.Obstacle(obstacle);
        }
        return switch (api.lookAtNode(node)) {
            case BindApi.NodeAnswer.Usable ignored -> new Finding.Complete();
            case BindApi.NodeAnswer.Unusable(String why) -> new Finding.Obstacle(why);
            case BindApi.NodeAnswer.Unanswered ignored -> new Finding.Unanswered();
        };
    }

    private Finding lookAt(BindRequest request) {
        return switch (api.readPod(request.namespace(), request.pod())) {
            case BindApi.PodAnswer.Found found ->
                switch (MemberBinding.judge(request, found)) {
                    case null -> new Finding.Complete();
                    case MemberBinding.Result.Bound ignored -> new Finding.Complete();
                    case MemberBinding.Result.Gone(String reason) -> new Finding.Obstacle(reason);
                    case MemberBinding.Result.Refused(String reason) -> new Finding.Obstacle(reason);
                };
            case BindApi.PodAnswer.Absent ignored -> new Finding.Obstacle("pod " + request.podName() + " is gone");
            case BindApi.PodAnswer.Unanswered ignored -> new Finding.Unanswered();
        };
    }
}
