package io.slotwise.kubernetes.bind;

import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The last look before a gang is bound: are its nodes there, and are its pods still the ones that arrived? The API server would
 * bind a pod to a node that is gone, and a pod may be deleted while its call waits. All reads are made at the same time.
 */
final class RollCall {
    private final BindApi api;
    private final Executor executor;

    RollCall(BindApi api, Executor executor) {
        this.api = api;
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

    /** Looks at the nodes and the pods of all members; one request for each of them. */
    Finding of(List<Assembly.Member> members) {
        TreeSet<String> nodes = new TreeSet<>();
        members.forEach(member -> nodes.add(member.request().node()));
        Stream<Supplier<Finding>> questions = Stream.concat(
                nodes.stream().map(node -> () -> lookAt(node)),
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

    private Finding lookAt(String node) {
        return switch (api.lookAtNode(node)) {
            case BindApi.NodeAnswer.Usable ignored -> new Finding.Complete();
            case BindApi.NodeAnswer.Unusable(String obstacle) -> new Finding.Obstacle(obstacle);
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
