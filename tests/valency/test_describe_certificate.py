"""What a certificate holds, in words: short lines that say neither more nor less."""

from __future__ import annotations

from dataclasses import replace

import solvent
from helpers.depth import up_to
from solvent.drawing.phrases import listed
from solvent.valency.describe_certificate import WIDTH, describe_certificate
from solvent.valency.model import (
    CUBIC_ORBITALS,
    SQUARE_ORBITALS,
    Bonds,
    Connected,
    Count,
    Graph,
    Lattice,
    Layer,
    Module,
    Orbital,
    OrbitalSet,
    Path,
    Pick,
    Rules,
    Separation,
    Staging,
)
from solvent.valency.phrases import Phrases, describe_side, read_element
from valency.stagings import colouring, on_row, on_square, plain_modules, random_staging

FENCE = Module("fence", "fence", (Bonds(neighbours=(0b10,) * 4),))


def told(staging: Staging, question: str = "solvable", **options: object) -> list[str]:
    certificate = solvent.ask(staging, question, **options).certificate
    assert certificate is not None
    return describe_certificate(staging, certificate)


class TestAssignment:
    def test_modules_picks_and_weights(self):
        staging = on_row(4, plain_modules(2), picks=tuple(Pick(node, "m1") for node in range(3)))
        staging = replace(staging, picks=(*staging.picks, Pick(3, "zebra")), constraints=(Count(0b10, least=4),))
        assert told(staging) == [
            "4 nodes filled.",
            "Modules: 'm1' 4.",
            "3 picks honoured, 1 ignored.",
            "50% of the nodes would have to change to match the weights.",
        ]

    def test_null_slots(self):
        layer = Layer("beside", OrbitalSet((Orbital("a"),)))
        graph = Graph([(0, 0, 0)] * 3, [(0, 1)], [[(0, 0)]])  # type: ignore[arg-type]
        staging = Staging(Rules((layer,), plain_modules(1)), graph)
        assert told(staging)[0] == "2 nodes filled. 1 node has no neighbour and stays empty."

    def test_variants_are_counted_together(self):
        variants = tuple(replace(module, name="rock") for module in plain_modules(3))
        assert "Modules: 'rock' 12." in told(on_row(12, variants))


class TestRefutation:
    def test_the_clash_and_its_parts(self):
        staging = on_square(6, 4, (FENCE, *plain_modules(1)), picks=(Pick(7, "fence"), Pick(8, "fence")))
        assert told(staging) == [
            "These cannot all hold: the picks 'fence' on (1, 1) and 'fence' on (2, 1); the",
            "  rules along 1 edge.",
            "  The pick 'fence' on (1, 1).",
            "  The pick 'fence' on (2, 1).",
            "  (1, 1) and (2, 1), on its right, must agree.",
            "Leaving out any one of these makes the rest possible.",
        ]

    def test_minimal_is_said_only_if_it_was_proved(self):
        staging = on_square(6, 4, (FENCE, *plain_modules(1)), picks=(Pick(7, "fence"), Pick(8, "fence")))
        assert not any("Leaving out" in line for line in told(staging, minimal=False))

    def test_a_clash_of_one_part(self):
        assert told(on_row(3, plain_modules(1, least=4))) == [
            "At least 4 of 'm0' are asked for, but only 3 nodes can hold it."
        ]
        words = " ".join(told(on_row(3, (Module("a", "a", (Bonds(orbital_mask=0b1),)),)))).split()
        assert " ".join(words) == (
            "No module fits (2, 0): add one for a node with neighbours on its left and nowhere else; "
            "'a' comes nearest, but needs a neighbour on its right."
        )

    def test_the_sentence_is_the_one_that_comes_with_the_answer(self):
        for staging in (colouring(5, [(v, (v + 1) % 5) for v in range(5)], 2), on_row(3, plain_modules(1, least=4))):
            answer = solvent.ask(staging)
            assert answer.certificate is not None
            assert answer.because in " ".join(" ".join(describe_certificate(staging, answer.certificate)).split())


class TestPartial:
    def test_what_is_left_out_and_why(self):
        staging = on_square(6, 4, (FENCE, *plain_modules(1)), picks=(Pick(7, "fence"), Pick(8, "fence")))
        lines = told(staging, "partial")
        assert lines[0] == "Filled 23 of 24 nodes; 1 proved impossible, 0 left open."
        assert "proved impossible. These cannot all hold" in " ".join(lines[1:3])
        assert lines[-1] == "1 pick honoured, 1 on nodes left out."

    def test_without_a_proof_nothing_is_claimed(self):
        staging = on_square(6, 4, (FENCE, *plain_modules(1)), picks=(Pick(7, "fence"), Pick(8, "fence")))
        certificate = dict(solvent.ask(staging, "partial").certificate or {})
        certificate["left_out"] = [{"node": entry["node"]} for entry in certificate["left_out"]]
        lines = describe_certificate(staging, certificate)
        assert lines[0] == "Filled 23 of 24 nodes; 0 proved impossible, 1 left open."
        assert lines[1].endswith("left open, neither filled nor proved impossible.")


def test_lines_are_short_and_say_something():
    forms = set()
    for seed in range(up_to(30, deep=120)):
        for question in ("solvable", "partial"):
            certificate = solvent.ask(random_staging(seed), question).certificate
            assert certificate is not None
            forms.add(certificate["form"])
            lines = describe_certificate(random_staging(seed), certificate)
            assert lines
            assert all(line.strip() and len(line) <= WIDTH for line in lines), seed
    assert forms == {"assignment", "partial", "refutation"}


class TestPhrases:
    STAGING = on_row(
        4,
        (*plain_modules(2), Module("v0", "v", (Bonds(),)), Module("v1", "v", (Bonds(),), most=2)),
        picks=(Pick(1, "v"), Pick(2, "v1")),
        constraints=(Count(0b1, 1, 2, (0, 1)), Connected(0b11), Path(0, 3, 0b1100), Separation(0b1, 2)),
    )

    def said(self, **element: object) -> str:
        return Phrases.of(self.STAGING).element(read_element(element))

    def test_sides(self):
        sides = {"right": "on its right", "left": "on its left", "up": "above it", "down": "below it"}
        assert {name: describe_side(name) for name in sides} == sides
        assert (describe_side("above"), describe_side("below")) == ("above it", "below it")
        assert describe_side("up-left") == "on its up-left"
        names = [orbital.name for orbital in CUBIC_ORBITALS.orbitals]
        assert len({describe_side(name, names) for name in names}) == 6, "in three dimensions up is not above"
        assert (describe_side("up", names), describe_side("below", names)) == ("up from it", "below it")

    def test_a_side_in_one_of_several_layers(self):
        layers = tuple(Layer(name, SQUARE_ORBITALS) for name in ("pipes", "roads"))
        staging = Staging(Rules(layers, plain_modules(1, 2)), Lattice(2, 2))
        said = Phrases.of(staging).element(read_element({"edge": [1, 0, 1]}))
        assert said == "(0, 0) and (0, 1), below it in layer 'roads', must agree."

    def test_every_kind_of_element(self):
        assert self.said(node=0) == "(0, 0) must be filled; only 'm0', 'm1' and 'v' fit there."
        assert self.said(pick=1) == "The pick 'v' on (1, 0)."
        assert self.said(pick=2) == "The pick 'v1' on (2, 0)."
        assert self.said(edge=[0, 1, 2]) == "(1, 0) and (0, 0), on its left, must agree."
        assert self.said(most=3) == "At most 2 of 'v1'."
        assert self.said(least=0) == "At least 0 of 'm0'."
        assert self.said(apart=[3, 0, 1]) == (
            "Constraint 4: (0, 0) and (1, 0) are too near each other to hold 'm0' both."
        )
        assert self.said(constraint=0) == "Constraint 1: at least 1 and at most 2 of 'm0' on (0, 0) and (1, 0)."
        assert self.said(constraint=1) == "Constraint 2: all of 'm0' or 'm1' must be connected."
        assert self.said(constraint=2) == "Constraint 3: 'v' all the way from (0, 0) to (3, 0)."

    def test_a_pick_that_means_less_than_its_name(self):
        staging = replace(self.STAGING, pick_selection="first")
        assert Phrases.of(staging).element(("pick", 1)) == "The pick 'v' on (1, 0), which means 'v0'."

    def test_lists(self):
        assert listed(["a"], 4) == "a"
        assert listed(["a", "b", "c"], 4, "or") == "a, b or c"
        assert listed(["a", "b", "c", "d", "e"], 4) == "a, b, c and 2 more"
