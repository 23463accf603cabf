"""The pages of the site: those of docs/, in the order of a reader, with the changes and the reference of the resource definitions, which are made here."""

import posixpath
import re
import shutil
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
# Links to files that are not pages of the site go here.
SOURCE = "https://slotwise.io/source/"
LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")
GENERATED = {"api.md": "", "changelog.md": "", "http-api.md": "", "openapi.yaml": ""}
OPENAPI = ROOT / "src/main/resources/META-INF/resources/api/v1/openapi.yaml"

ORDER = {
    "Start": ["start/tutorial", "start/first-gang"],
    "How-to": ["how-to/install", "how-to/upgrade", "how-to/sign-in", "how-to/teams", "how-to/cheap-nights", "how-to/topology", "how-to/reservations", "how-to/buy-nodes", "how-to/migrate", "how-to/try-a-policy", "how-to/troubleshoot"],
    "Reference": ["reference/annotations", "reference/queues", "reference/other-projects", "reference/kube-scheduler", "reference/policy", "reference/cli", "reference/metrics", "reference/board", "http-api", "api", "reference/simulation", "reference/workloads", "reference/glossary", "changelog"],
    "Explanation": ["explanation/*", "testing"],
    "Studies": ["studies/*", "studies/tables/*"],
    "Decisions": ["decisions/*"],
}


def gather(target):
    """Writes the source of the site: docs/ and what is made beside it."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(DOCS, target, ignore=shutil.ignore_patterns("examples"))
    (target / "changelog.md").write_text((ROOT / "CHANGELOG.md").read_text("utf-8"), "utf-8")
    (target / "api.md").write_text(reference(), "utf-8")
    (target / "http-api.md").write_text(http_api(yaml.safe_load(OPENAPI.read_text("utf-8"))), "utf-8")
    shutil.copy(OPENAPI, target / "openapi.yaml")
    index = (target / "index.md").read_text("utf-8")
    for caption, names in ORDER.items():
        index += "\n```{toctree}\n:hidden:\n:caption: " + caption + "\n:glob:\n\n" + "\n".join(names) + "\n```\n"
    (target / "index.md").write_text(index, "utf-8")


def read(app, name, source):
    """A link to a file of the repository that is no page leads to its source."""
    folder = "" if name == "changelog" else posixpath.dirname("docs/" + name)

    def lead(match):
        path = posixpath.normpath(posixpath.join(folder, match.group(2)))
        inside = path.removeprefix("docs/") if path.startswith("docs/") else None
        if path == "CHANGELOG.md":
            inside = "changelog.md"
        if path == OPENAPI.relative_to(ROOT).as_posix():
            inside = "http-api.md"
        if inside and (inside in GENERATED or (DOCS / inside).is_file()) and not inside.startswith("examples/"):
            return match.group(1) + posixpath.relpath(inside, posixpath.dirname(name) or ".") + match.group(3)
        return match.group(1) + SOURCE + path + match.group(3) if (ROOT / path).exists() else match.group(0)

    source[0] = LINK.sub(lead, source[0])


def reference():
    """The fields of the resource definitions, as the API server checks them."""
    lines = ["# Resource definitions", "", "Made of the definitions in the chart. `kubectl explain reservation.spec` tells the same.", ""]
    for definition in sorted((ROOT / "helm/slotwise/files/crds").glob("*.yaml")):
        document = yaml.safe_load(definition.read_text("utf-8"))
        spec = document["spec"]
        for version in spec["versions"]:
            schema = version["schema"]["openAPIV3Schema"]
            lines += [f"## {spec['names']['kind']}", "", f"`{spec['group']}/{version['name']}`, {spec['scope'].lower()}. {one(schema.get('description', ''))}", "", "| field | type | meaning |", "|---|---|---|"]
            for part in ("spec", "status"):
                if part in schema["properties"]:
                    fields(part, schema["properties"][part], lines, required=part in schema.get("required", []))
            lines += [""]
            rules = [rule["message"] for rule in schema.get("x-kubernetes-validations", []) if "message" in rule]
            if rules:
                lines += ["Checked besides:", ""] + [f"- {one(rule)}" for rule in rules] + [""]
    return "\n".join(lines)


def fields(path, schema, lines, required=False):
    kind = schema.get("type", "any")
    if schema.get("x-kubernetes-int-or-string"):
        kind = "number or text"
    inner = schema
    suffix = ""
    if kind == "array":
        inner = schema["items"]
        suffix = "[]"
        kind = f"list of {inner.get('type', 'any')}"
    elif isinstance(schema.get("additionalProperties"), dict):
        kind = "map"
    if "enum" in schema:
        kind = "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    elif schema.get("format"):
        kind += f" ({schema['format']})"
    meaning = one(schema.get("description", inner.get("description", "")))
    lines.append(f"| `{path}` | {kind}{', required' if required else ''} | {meaning} |")
    for name, child in inner.get("properties", {}).items():
        fields(f"{path}{suffix}.{name}", child, lines, required=name in inner.get("required", []))


def http_api(api):
    """Endpoints, parameters and answers, as the description says that a running Slotwise serves."""
    lines = ["# The API over HTTP", "", "Made of the description that a running Slotwise serves at `/api/v1/openapi.yaml` (OpenAPI " + api["openapi"] + "): {download}`openapi.yaml <openapi.yaml>`.",
             "Who may call is said [here](how-to/sign-in.md#permissions).", "", api["info"]["description"], ""]
    for path, item in api["paths"].items():
        for method, operation in item.items():
            lines += [f"## {method.upper()} {path}", "", one(operation["summary"]) + ".", ""]
            if "description" in operation:
                lines += [one(operation["description"]), ""]
            if operation.get("parameters"):
                lines += ["| parameter | in | type | meaning |", "|---|---|---|---|"]
                for parameter in operation["parameters"]:
                    schema = parameter["schema"]
                    kind = "one of " + ", ".join(f"`{value}`" for value in schema["enum"]) if "enum" in schema else schema["type"]
                    said = parameter.get("description", "") + (f" Such as `{parameter['example']}`." if "example" in parameter else "")
                    lines.append(f"| `{parameter['name']}` | {parameter['in']}{', required' if parameter.get('required') else ''} | {kind} | {one(said)} |")
                lines.append("")
            lines += ["| status | answer | |", "|---|---|---|"]
            for status, answer in operation["responses"].items():
                answer = target_of(api, answer)
                media = next(iter(answer.get("content", {}).values()), {})
                named = media.get("schema", {}).get("$ref", "").rpartition("/")[2]
                lines.append(f"| {status} | {f'[{named}](#{named.lower()})' if named else ', '.join(answer.get('content', {})) or 'none'} | {one(answer['description'])} |")
            lines.append("")
    for name, schema in api["components"]["schemas"].items():
        lines += [f"## {name}", ""]
        if "description" in schema:
            lines += [one(schema["description"]), ""]
        if "properties" in schema:
            lines += ["| field | type | meaning |", "|---|---|---|"]
            members("", schema, lines)
        else:
            lines.append(f"{kind_of(schema)[0].upper()}{kind_of(schema)[1:]}{', `' + schema['pattern'] + '`' if 'pattern' in schema else ''}.")
        lines.append("")
    return "\n".join(lines)


def target_of(api, node):
    for key in node.get("$ref", "#")[2:].split("/") if "$ref" in node else []:
        api = api[key]
    return api if "$ref" in node else node


def kind_of(schema):
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(kind_of(one) for one in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return "list of " + kind_of(schema["items"])
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return "map of " + kind_of(schema["additionalProperties"])
    return " or ".join(kind) if isinstance(kind, list) else kind + (f" ({schema['format']})" if "format" in schema else "")


def members(path, schema, lines):
    for name, child in schema["properties"].items():
        required = "" if name not in schema.get("required", []) else ", required"
        lines.append(f"| `{path}{name}` | {kind_of(child)}{required} | {one(child.get('description', ''))} |")
        inner = child.get("items", child)
        if "properties" in inner:
            members(f"{path}{name}{'[]' if 'items' in child else ''}.", inner, lines)


def one(text):
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    gather(Path(sys.argv[1]))
