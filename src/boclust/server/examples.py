"""Examples in the description of the API: answers that a server gave, with one date for all.

``examples.json`` is written by tests/server_examples.py, and the tests play it again and compare.
"""

import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI

FILE = Path(__file__).with_name("examples.json")


def install(app: FastAPI) -> None:
    """Put each example where its route is described."""
    described = app.openapi

    def with_examples() -> dict[str, Any]:
        if app.openapi_schema is None:
            description = described()
            for call, example in json.loads(FILE.read_text()).items():
                method, _, path = call.partition(" ")
                _add(description["paths"][path][method.lower()], example)
        return app.openapi_schema or {}

    app.openapi = with_examples  # type: ignore[method-assign]


def _add(route: dict[str, Any], example: dict[str, Any]) -> None:
    answer = next(iter(route["responses"][str(example["status"])]["content"].values()))
    answer["example"] = example["answer"]
    if "requestBody" in route:
        route["requestBody"]["content"]["application/json"]["example"] = example["request"]
    route["parameters"] = [
        {**one, "example": "tides"} if one["in"] == "path" else one
        for one in route.get("parameters", [])
    ]
