package io.slotwise.testing;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIGroupBuilder;
import io.fabric8.kubernetes.api.model.APIGroupList;
import io.fabric8.kubernetes.api.model.APIGroupListBuilder;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.slotwise.kubernetes.gangs.GroupKind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes client without a server that can only list and watch. Lists return the objects that a test has put, and
 * watches are told of changes at once, on the test's thread. A watch never ends. Every kind of other projects that
 * Slotwise knows is served.
 */
public final class CannedWatches {
    private final Map<String, Canned> byKind = new HashMap<>();

    public KubernetesClient client() {
        return proxy(KubernetesClient.class, (_, method, given) -> ofClient(method, given));
    }

    public void put(HasMetadata object) {
        of(key(object.getApiVersion(), object.getKind())).put(object);
    }

    public void remove(HasMetadata object) {
        of(key(object.getApiVersion(), object.getKind())).remove(object);
    }

    private @Nullable Object ofClient(Method method, Object @Nullable [] given) {
        return switch (method.getName()) {
            case "getConfiguration" -> Config.empty();
            case "newClient", "adapt" -> client();
            case "nodes" -> resources(method, "v1 Node");
            case "pods" -> resources(method, "v1 Pod");
            case "resourceQuotas" -> resources(method, "v1 ResourceQuota");
            case "namespaces" -> resources(method, "v1 Namespace");
            case "persistentVolumeClaims" -> resources(method, "v1 PersistentVolumeClaim");
            case "persistentVolumes" -> resources(method, "v1 PersistentVolume");
            case "storageClasses" -> resources(method, "storage.k8s.io StorageClass");
            case "csiNodes" -> resources(method, "storage.k8s.io CSINode");
            case "policy", "storage", "v1" -> proxy(method.getReturnType(), (_, inner, more) -> ofClient(inner, more));
            case "podDisruptionBudget" -> resources(method, "policy PodDisruptionBudget");
            case "resources" -> {
                Class<?> type = (Class<?>) Objects.requireNonNull(given)[0];
                yield resources(
                        method,
                        key(HasMetadata.getApiVersion(type.asSubclass(HasMetadata.class)), HasMetadata.getKind(type)));
            }
            case "genericKubernetesResources" -> {
                ResourceDefinitionContext context = (ResourceDefinitionContext) Objects.requireNonNull(given)[0];
                yield resources(method, key(context.getGroup() + "/" + context.getVersion(), context.getKind()));
            }
            case "getApiGroups" -> served();
            case "getApiResources" -> resourcesOf((String) Objects.requireNonNull(given)[0]);
            default -> throw new UnsupportedOperationException(method.toString());
        };
    }

    /** A proxy of the method's return type, or of the widest type that a type parameter allows. */
    private Object resources(Method method, String kind) {
        Class<?> type = method.getReturnType() == Object.class ? MixedOperation.class : method.getReturnType();
        return proxy(type, (_, inner, given) -> ofResources(inner, given, kind));
    }

    @SuppressWarnings("unchecked") // Only the callers know the type of a watch.
    private Object ofResources(Method method, Object @Nullable [] given, String kind) {
        return switch (method.getName()) {
            case "list" -> of(kind).list();
            case "watch" -> of(kind).watch((Watcher<HasMetadata>) Objects.requireNonNull(given)[1]);
            default -> resources(method, kind);
        };
    }

    private synchronized Canned of(String kind) {
        return byKind.computeIfAbsent(kind, _ -> new Canned());
    }

    private static String key(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return (slash < 0 ? apiVersion : apiVersion.substring(0, slash)) + " " + kind;
    }

    private static APIGroupList served() {
        List<APIGroup> groups = Arrays.stream(GroupKind.values())
                .map(GroupKind::apiGroup)
                .distinct()
                .map(group -> new APIGroupBuilder()
                        .withName(group)
                        .addNewVersion(group + "/v1", "v1")
                        .withNewPreferredVersion(group + "/v1", "v1")
                        .build())
                .toList();
        return new APIGroupListBuilder().withGroups(groups).build();
    }

    private static APIResourceList resourcesOf(String groupVersion) {
        APIResourceListBuilder list = new APIResourceListBuilder().withGroupVersion(groupVersion);
        for (GroupKind kind : GroupKind.values()) {
            if (groupVersion.startsWith(kind.apiGroup() + "/")) {
                list.addNewResource()
                        .withName(kind.plural())
                        .withKind(kind.kind())
                        .endResource();
            }
        }
        return list.build();
    }

    @SuppressWarnings("ReferenceEquality") // A proxy equals itself.
    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                CannedWatches.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, given) -> switch (method.getName()) {
                    case "toString" -> type.getSimpleName();
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> given != null && self == given[0];
                    default -> handler.invoke(self, method, given);
                }));
    }

    /** The objects of one kind and the watch of this kind. */
    private static final class Canned {
        private volatile boolean listed;
        private volatile @Nullable Watcher<HasMetadata> watcher;
        private final CacheImpl<HasMetadata> cache = new CacheImpl<>();

        KubernetesResourceList<HasMetadata> list() {
            DefaultKubernetesResourceList<HasMetadata> all = new DefaultKubernetesResourceList<>();
            all.setMetadata(new ListMetaBuilder().withResourceVersion("1").build());
            all.setItems(cache.list());
            listed = true;
            return all;
        }

        Watch watch(Watcher<HasMetadata> from) {
            watcher = from;
            return () -> watcher = null;
        }

        void put(HasMetadata object) {
            HasMetadata before = cache.put(object);
            if (listed) {
                bring(before == null ? Watcher.Action.ADDED : Watcher.Action.MODIFIED, object);
            }
        }

        void remove(HasMetadata object) {
            cache.remove(object);
            if (listed) {
                bring(Watcher.Action.DELETED, object);
            }
        }

        /** Sends an event. A watch begins shortly after its list, so this method waits for the watch. */
        private void bring(Watcher.Action action, HasMetadata object) {
            Watcher<HasMetadata> to = watcher;
            while (to == null) {
                Thread.onSpinWait();
                to = watcher;
            }
            to.eventReceived(action, object);
        }
    }
}
