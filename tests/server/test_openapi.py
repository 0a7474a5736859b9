"""The OpenAPI document: every answer conforms to it, and its examples are recorded answers."""

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks as specs

import boclust
from boclust.server.app import EXAMPLES, create_app
from boclust.server.gate import API
from support.server_examples import SESSION, play

#: Calls whose answer changes every time, or never ends.
WITHOUT = {f"GET {API}/metrics", f"GET {API}/studies/{{study}}/events"}
#: Calls that refuse random requests, which name studies, events or arms that do not exist.
NEVER = {f"POST {API}/studies"} | {
    f"POST {API}/studies/{{study}}/{what}" for what in ("observations", "void", "correct")
}


def test_examples_are_what_a_server_answers(api):
    frozen = json.loads(EXAMPLES.read_text())
    played = play(api.client)
    assert list(played) == list(frozen)
    for call, example in played.items():
        assert example == frozen[call], call


def test_every_route_has_an_example(url):
    description = create_app(url).openapi()
    calls = {
        f"{method.upper()} {path}": route
        for path, methods in description["paths"].items()
        for method, route in methods.items()
    }
    assert sorted(calls) == CALLS
    for call, route in calls.items():
        if call not in WITHOUT:
            success = next(said for status, said in route["responses"].items() if status < "300")
            assert "example" in next(iter(success["content"].values())), call
            if "requestBody" in route:
                assert "example" in route["requestBody"]["content"]["application/json"]


#: Every call of the document; ``test_every_route_has_an_example`` compares.
CALLS = sorted(
    {f"{method} {API}{path}" for method, path in (c.split(" ") for c, _ in SESSION)} | WITHOUT
)
CHECKS = [
    not_a_server_error,
    specs.status_code_conformance,
    specs.content_type_conformance,
    specs.response_schema_conformance,
    specs.negative_data_rejection,
]


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """The OpenAPI document of an application in this process, for all tests."""
    url = f"sqlite:///{tmp_path_factory.mktemp('described') / 'studies.db'}"
    app = create_app(url, rate=None, hosts=["*"])
    app.state.boclust.notifier.closing = True  # else a stream has no end
    yield schemathesis.openapi.from_asgi(f"{API}/openapi.json", app), url
    app.state.boclust.close()


@pytest.mark.parametrize("examples", [8, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("call", CALLS)
def test_no_answer_contradicts_the_description(described, call, mode, examples):
    """Valid and invalid requests, to an existing study or to any."""
    schema, url = described
    name = f"tides {call} {mode.value} {examples}".replace("/", "-")
    with boclust.Study.create(url, name, list("abc"), 2, 0.1) as study:
        study.tell_many([("a", 0.1), ("b", 0.3), ("c", 7.0)])
    method, _, path = call.partition(" ")
    operation = schema[path][method]
    chosen = {"path_parameters": {"study": name}} if "{study}" in path else {}
    cases = operation.as_strategy(mode, **chosen)
    if chosen:
        cases = st.one_of(cases, cases, operation.as_strategy(mode))
    answered = []

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(case=cases)
    def send(case):
        answer = case.call()
        answered.append(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    try:
        send()
    except Unsatisfiable:
        assert mode == GenerationMode.NEGATIVE  # nothing can be wrong with such a request
        return
    assert max(answered) < 500
    if mode == GenerationMode.POSITIVE and call not in NEVER:
        assert min(answered) < 300
