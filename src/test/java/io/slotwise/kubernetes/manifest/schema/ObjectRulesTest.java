package io.slotwise.kubernetes.manifest.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rules of the API server's validation that span several fields, by single objects. Null if the object is accepted.
 */
class ObjectRulesTest {
    private static void assertBroken(String object, String flaw) {
        try {
            SchemaFlaw broken = ObjectRules.broken(JsonMapper.builder().build().readTree(object));
            assertThat(broken == null ? null : broken.message()).isEqualTo(flaw);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(object, e);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            {"example.com/chip": "1"} | no spec.containers[0].resources.limits[example.com/chip]: expected the same as is requested
            {"kubernetes.io/chip": "1500m"} | -
            {"chips.kubernetes.io/chip": "1500m"} | -
            {"requests.example.com/chip": "1"} | spec.containers[0].resources.requests (requests.example.com/chip) is not valid: expected cpu, memory, ephemeral-storage or a resource with a domain such as nvidia.com/gpu
            {"hugepages-2Mi": "2Mi"} | no spec.containers[0].resources.limits[hugepages-2Mi]: expected the same as is requested
            """)
    void aResourceIsExtendedAsInKubernetes(String requests, String flaw) {
        assertBroken("""
                {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "c", "resources": {"requests": %s}}]}}
                """.formatted(requests), flaw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            example.com/chip           | 1500m | spec.hard[example.com/chip] (1500m) is not valid: expected a whole number
            requests.example.com/chip  | 1500m | -
            chips.kubernetes.io/chip   | 1500m | -
            count/jobs.batch           | 1500m | spec.hard[count/jobs.batch] (1500m) is not valid: expected a whole number
            """)
    void aQuotaHasWholeAmountsOfExtendedResources(String resource, String amount, String flaw) {
        assertBroken("""
                {"apiVersion": "v1", "kind": "ResourceQuota", "spec": {"hard": {"%s": "%s"}}}
                """.formatted(resource, amount), flaw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            cpu                      | -
            chips.kubernetes.io/chip | -
            example.com/chip         | spec.limits[0].defaultRequest[example.com/chip] (1) is not valid: expected default, 2
            """)
    void aLimitRangeAsksForAsMuchAsItLimitsWhereNothingCanBeOvercommitted(String resource, String flaw) {
        assertBroken("""
                {"apiVersion": "v1", "kind": "LimitRange", "spec": {"limits": [
                 {"type": "Container", "default": {"%1$s": "2"}, "defaultRequest": {"%1$s": "1"}}]}}
                """.formatted(resource), flaw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            example.com/chip         | -
            chips.kubernetes.io/chip | spec.extendedResourceName (chips.kubernetes.io/chip) is not valid: expected a resource with a domain such as example.com/gpu
            chip                     | spec.extendedResourceName (chip) is not valid: expected a resource with a domain such as example.com/gpu
            """)
    void aDeviceClassServesAnExtendedResource(String resource, String flaw) {
        assertBroken("""
                {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "spec": {"extendedResourceName": "%s"}}
                """.formatted(resource), flaw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            GPU.Example.com/model  | -
            gpu..example.com/model | spec.devices[0].attributes (gpu..example.com/model) is not valid: expected an identifier such as model or example.com/model
            -gpu.com/model         | spec.devices[0].attributes (-gpu.com/model) is not valid: expected an identifier such as model or example.com/model
            """)
    void theDomainOfAnAttributeIsLikeADriver(String name, String flaw) {
        assertBroken("""
                {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "spec": {"nodeName": "n", "devices": [
                 {"name": "d", "attributes": {"%s": {"string": "x"}}}]}}
                """.formatted(name), flaw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            {"schedulingPolicy": {"basic": {}}} | -
            {"schedulingPolicy": {}} | spec.schedulingPolicy ({}) is not valid: expected either basic or gang
            {"schedulingPolicy": {"gang": {"minCount": 1}}, "disruptionMode": {}} | spec.disruptionMode ({}) is not valid: expected either single or all
            """)
    void aPodGroupHasOnePolicyAndOneMode(String spec, String flaw) {
        assertBroken("""
                {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "spec": %s}
                """.formatted(spec), flaw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            {"resourceClaims": [{"name": "g", "resourceClaimName": "x"}], "containers": [{"name": "c", "resources": {"claims": [{"name": "g"}]}}]} | -
            {"resourceClaims": [{"name": "g", "resourceClaimName": "x"}], "containers": [{"name": "c", "resources": {"claims": [{"name": "h"}]}}]} | spec.containers[0].resources.claims[0].name (h) is not valid: expected the name of a resource claim of the pod
            {"containers": [{"name": "c"}], "initContainers": [{"name": "i", "resources": {"claims": [{"name": "h"}]}}]} | spec.initContainers[0].resources.claims[0].name (h) is not valid: expected the name of a resource claim of the pod
            {"resourceClaims": [{"name": "g", "resourceClaimName": "x"}, {"name": "g", "resourceClaimName": "y"}], "containers": [{"name": "c"}]} | spec.resourceClaims[1].name (g) is not valid: expected another name than those before it
            {"containers": [{"name": "c", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]} | spec.containers[0].volumeMounts[0].name (v) is not valid: expected the name of a volume of the pod
            """)
    void theContainersOfAPodNameItsClaimsAndVolumes(String spec, String flaw) {
        assertBroken("""
                {"apiVersion": "v1", "kind": "Pod", "spec": %s}
                """.formatted(spec), flaw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            []              | -
            [{"name": "x"}] | spec.nodeName (n1) is not valid: expected no node as long as there are schedulingGates
            """)
    void aPodWithAGateHasNoNode(String gates, String flaw) {
        assertBroken("""
                {"apiVersion": "v1", "kind": "Pod", "spec": {"nodeName": "n1", "schedulingGates": %s, "containers": [{"name": "c"}]}}
                """.formatted(gates), flaw);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            {"replicatedJobs": [{"name": "a"}, {"name": "b", "dependsOn": [{"name": "a", "status": "Ready"}]}]} | -
            {"replicatedJobs": [{"name": "a"}, {"name": "a"}]} | spec.replicatedJobs[1].name (a) is not valid: expected another name than those before it
            {"replicatedJobs": [{"name": "a"}, {"name": "b", "dependsOn": [{"name": "nosuch", "status": "Ready"}]}]} | spec.replicatedJobs[1].dependsOn[0].name (nosuch) is not valid: expected the name of a replicated Job before it
            {"replicatedJobs": [{"name": "a", "dependsOn": [{"name": "b", "status": "Complete"}]}, {"name": "b"}]} | spec.replicatedJobs[0].dependsOn[0].name (b) is not valid: expected the name of a replicated Job before it
            {"replicatedJobs": [{"name": "a", "dependsOn": [{"name": "a", "status": "Ready"}]}]} | spec.replicatedJobs[0].dependsOn[0].name (a) is not valid: expected the name of a replicated Job before it
            {"startupPolicy": {"startupPolicyOrder": "InOrder"}, "replicatedJobs": [{"name": "a", "dependsOn": []}]} | spec.replicatedJobs[0].dependsOn ([]) is not valid: expected none with the startupPolicyOrder InOrder
            """)
    void theRolesOfAJobSetWaitInOneWay(String spec, String flaw) {
        assertBroken("""
                {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "spec": %s}
                """.formatted(spec), flaw);
    }

    /** The API server reads an amount that is too large for it as the largest one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            3     | -
            1e400 | spec.limits[0].min[cpu] (1e400) is not valid: expected at most max, 4
            """)
    void theLeastOfALimitRangeIsWithinItsMost(String least, String flaw) {
        assertBroken("""
                {"apiVersion": "v1", "kind": "LimitRange", "spec": {"limits": [
                 {"type": "Container", "min": {"cpu": "%s"}, "max": {"cpu": "4"}}]}}
                """.formatted(least), flaw);
    }
}
