"""The page of HTTP calls, generated from the server's OpenAPI document."""

import json
from collections.abc import Iterator
from typing import Any

from fastapi.routing import APIRoute

from boclust.server import create_app
from boclust.server.auth import Needs
from boclust.server.gate import API
from boclust.server.routes import lifecycle, queries, sampling, server

PLACE = "<!-- the calls -->"
_WIDTH = 96
_TITLES = {
    "queries": "Queries",
    "sampling": "Ask and tell",
    "lifecycle": "Create, revise, pause, stop",
    "server": "The server itself",
}
_WORDS = {"string": "text", "boolean": "true or false"}


def calls() -> str:
    """All calls by purpose, then the objects that they take and return, in Markdown."""
    described = create_app("sqlite://").openapi()
    roles = {(route.path, method): _role(route) for route, method in _routes()}
    lines: list[str] = []
    for tag, title in _TITLES.items():
        lines += [f"## {title}", ""]
        for path, ways in described["paths"].items():
            for method, call in ways.items():
                if tag in call["tags"]:
                    lines += _call(method.upper(), path, call, roles[path, method.upper()])
    lines += ["## Objects", ""]
    for name, schema in described["components"]["schemas"].items():
        lines += [f"### {name}", "", schema.get("description", ""), "", *_fields(schema), ""]
    return "\n".join(lines)


def _routes() -> Iterator[tuple[APIRoute, str]]:
    """Each route with each of its methods."""
    for module in (server, queries, sampling, lifecycle):
        for route in module.routes.routes:
            for method in route.methods:
                yield route, method


def _role(route: APIRoute) -> str:
    needs = [d.call for d in route.dependant.dependencies if isinstance(d.call, Needs)]
    if not needs:
        return "no token"
    return f"role `{needs[0].role}`" if needs[0].role else "any token"


def _call(method: str, path: str, call: dict[str, Any], role: str) -> Iterator[str]:
    yield f"### `{method} {path.removeprefix(API)}`"
    yield f"\n{call['description']}\n\nNeeds {role}.\n"
    if told := call.get("parameters"):
        yield "| | | |\n|---|---|---|"
        for one in told:
            said = one.get("description", "").replace("\n", " ")
            yield f"| `{one['name']}` | {one['in']}, {_kind(one['schema'])} | {said} |"
        yield ""
    if body := call.get("requestBody"):
        yield from _content("Takes", body["content"])
    good = next(answer for status, answer in call["responses"].items() if status < "300")
    yield from _content("Returns", good["content"])


def _content(verb: str, content: dict[str, Any]) -> Iterator[str]:
    """The body of a request or an answer, with the recorded example."""
    for media_type, said in content.items():
        kind = _kind(said.get("schema", {})) if media_type == "application/json" else media_type
        yield f"{verb} {kind}:\n" if "example" in said else f"{verb} {kind}.\n"
        if "example" in said:
            yield f"```json\n{_shown(said['example'])}\n```\n"


def _shown(value: Any, margin: str = "") -> str:
    """JSON in lines of limited width."""
    line = json.dumps(value)
    if len(margin) + len(line) <= _WIDTH or not isinstance(value, dict | list):
        return line
    inner = margin + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_shown(part, inner)}" for name, part in value.items()]
    else:
        parts = [_shown(part, inner) for part in value]
    body = ",\n".join(inner + part for part in parts)
    return f"{line[0]}\n{body}\n{margin}{line[-1]}"


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    """A table of the fields of an object."""
    if not schema.get("properties"):
        return
    yield "| field | | |\n|---|---|---|"
    for name, field in schema["properties"].items():
        needed = "" if name in schema.get("required", ()) else "optional"
        if field.get("default") is not None:
            needed = f"default `{json.dumps(field['default'])}`"
        yield f"| `{name}` | {_kind(field)} | {needed} |"


def _kind(schema: dict[str, Any]) -> str:
    """The type of a field as text."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(one)}`" for one in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "prefixItems" in schema:
        return f"[{', '.join(_kind(one) for one in schema['prefixItems'])}]"
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    kind = schema.get("type", "anything")
    low, high = schema.get("minimum"), schema.get("maximum")
    limits = f" from {low:g}" if low is not None else ""
    limits += f" to {high:g}" if high is not None and high < 1e15 else ""
    return _WORDS.get(kind, kind) + limits
