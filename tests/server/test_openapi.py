"""The description of the API: true of every answer, with examples that were executed."""

import dataclasses
import json

import pytest
import schemathesis
from schemathesis import checks

from boclust.server import create_app, examples, models
from boclust.server.gate import API
from boclust.study import Status, picture, proportions
from boclust.study.checks import Budget
from boclust.study.status import ArmStatus, Ask, Estimate
from server_examples import play


def test_examples_are_what_a_server_answers(api):
    frozen = json.loads(examples.FILE.read_text())
    played = play(api.client)
    assert list(played) == list(frozen)
    for call, example in played.items():
        assert example == frozen[call], call


def test_every_route_has_an_example(url):
    description = create_app(url).openapi()
    without = {f"GET {API}/metrics", f"GET {API}/studies/{{study}}/events"}  # text, without an end
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            if f"{method.upper()} {path}" in without:
                continue
            success = next(said for status, said in route["responses"].items() if status < "300")
            assert all("example" in one for one in success["content"].values()), path
            if method == "post" and "requestBody" in route:
                assert "example" in route["requestBody"]["content"]["application/json"]


@pytest.mark.parametrize(
    ("model", "known"),
    [
        (models.Status, Status), (models.ArmStatus, ArmStatus), (models.Ask, Ask),
        (models.Budget, Budget), (models.Picture, picture.Picture),
        (models.Dendrogram, picture.Dendrogram), (models.Proportions, proportions.Proportions),
    ],
)  # fmt: skip
def test_answers_have_the_fields_of_the_data_classes(model, known):
    assert list(model.model_fields) == [field.name for field in dataclasses.fields(known)]


def test_estimates_have_the_fields_of_the_tuple():
    assert list(models.Estimate.model_fields) == list(Estimate._fields)


def described(url):
    """An application with a study, and its description, in this process."""
    app = create_app(url, rate=None)
    return app, schemathesis.openapi.from_dict(app.openapi())


CHECKS = [
    checks.not_a_server_error,
    checks.CHECKS.get_one("status_code_conformance"),
    checks.CHECKS.get_one("content_type_conformance"),
    checks.CHECKS.get_one("response_schema_conformance"),
    checks.CHECKS.get_one("negative_data_rejection"),
]
