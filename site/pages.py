"""The pages of the site: those of docs/, in the order of a reader, with the changes and the reference of the resource definitions, which are made here."""

import posixpath
import re
import shutil
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
# Where files that are no pages are read.
SOURCE = "https://slotwise.io/source/"
LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")
GENERATED = {"api.md": "", "changelog.md": ""}

ORDER = {
    "Tutorial": ["tutorial"],
    "How-to": ["cookbook", "install", "operations", "upgrade", "migrating", "interoperation", "reservations", "provisioning", "simulate", "troubleshooting"],
    "Reference": ["annotations", "policy", "cli", "board", "api", "workloads", "changelog"],
    "Explanation": ["concepts", "faq", "glossary", "comparison", "security", "performance", "experiments", "decisions/*"],
}


def gather(target):
    """Writes the source of the site: docs/ and what is made beside it."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(DOCS, target, ignore=shutil.ignore_patterns("examples"))
    (target / "changelog.md").write_text((ROOT / "CHANGELOG.md").read_text("utf-8"), "utf-8")
    (target / "api.md").write_text(reference(), "utf-8")
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


def one(text):
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    gather(Path(sys.argv[1]))
