"""Solve, then check: no claim gets past `ask` unless its certificate says the same and the checker accepts it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs
from template_domain.domain import DOMAIN as LAMPS
from template_domain.model import Grid

import solvent
from solvent import asking
from solvent.core.answer import Answer, Cause, Finding, Reason, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain, Drawing, Exports, Generator, Hints, Question, Request
from solvent.core.errors import BadOption, CertificateRejected, GenerationFailed, UnsoundAnswer
from solvent.core.events import Event, Kind
from solvent.core.explanation import Explanation
from solvent.core.hints import Hint
from solvent.proof.certificate import make_certificate

ONE_PRESS = Grid(1, 3, (False, False, False))
IMPOSSIBLE = Grid(1, 2, (True, False))
YES_PROOF = make_certificate("lamps", "solvable", Verdict.YES, "plan", plan=["A2"])
NO_PROOF = make_certificate("lamps", "solvable", Verdict.NO, "closed set", states=["*.", ".*"])


QUESTIONS = {"solvable": Question("Can all lamps be lit?"), "losable": Question("Can a press spoil it?")}

Install = Callable[..., Domain[Grid]]


@pytest.fixture
def lamps_with(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Let lamps with other slots answer instead of the real domain."""

    def install(**slots: Any) -> Domain[Grid]:
        domain = structs.replace(LAMPS, **slots)
        monkeypatch.setattr(asking, "domain_of", lambda problem: domain)
        monkeypatch.setattr(asking, "get_domain", lambda name: domain)
        return domain

    return install


@pytest.fixture
def answer_with(lamps_with: Install) -> Callable[..., Domain[Grid]]:
    """Let another solver answer, for lamps with a second question: give it a finding or a whole solver."""

    def install(finding: Finding | Callable[[Grid, Request], Finding]) -> Domain[Grid]:
        solver = finding if callable(finding) else lambda problem, request: finding
        return lamps_with(questions=QUESTIONS, solve=solver)

    return install


@pytest.fixture
def truthful(lamps_with: Install) -> None:
    lamps_with()


def making(problem: Grid, **slots: Any) -> Generator[Grid]:
    """Make this instance, whatever the options and the seed."""
    assert LAMPS.generator is not None
    return structs.replace(LAMPS.generator, make=lambda options, seed, listen, meter: problem, **slots)


def hinting(*hints: Hint, **slots: Any) -> Hints[Grid]:
    """Give these hints, whatever the instance."""
    return Hints(find=lambda problem, request: iter(hints), **slots)


LIES: dict[str, tuple[Grid, Finding, str]] = {
    "YES without a certificate": (ONE_PRESS, Finding(Verdict.YES), "without a certificate"),
    "YES with a wrong plan": (
        ONE_PRESS,
        Finding(Verdict.YES, make_certificate("lamps", "solvable", Verdict.YES, "plan", plan=["A1"])),
        "dark",
    ),
    "YES with a plan for another instance": (IMPOSSIBLE, Finding(Verdict.YES, YES_PROOF), "1 of 2 lamps are dark"),
    "YES for what is impossible, with its NO proof": (IMPOSSIBLE, Finding(Verdict.YES, NO_PROOF), "verdict 'NO'"),
    "NO without a certificate": (IMPOSSIBLE, Finding(Verdict.NO), "without a certificate"),
    "NO for what is solvable, with its YES proof": (ONE_PRESS, Finding(Verdict.NO, YES_PROOF), "verdict 'YES'"),
    "NO with a set that is not closed": (
        ONE_PRESS,
        Finding(Verdict.NO, make_certificate("lamps", "solvable", Verdict.NO, "closed set", states=["..."])),
        "out of the set",
    ),
    "a certificate for another question": (
        ONE_PRESS,
        Finding(Verdict.YES, {**YES_PROOF, "question": "losable"}),
        "losable",
    ),
    "a certificate for another domain": (ONE_PRESS, Finding(Verdict.YES, {**YES_PROOF, "domain": "chess"}), "chess"),
    "a certificate that says UNKNOWN": (ONE_PRESS, Finding(Verdict.YES, {**YES_PROOF, "verdict": "UNKNOWN"}), "YES or"),
    "a malformed certificate": (ONE_PRESS, Finding(Verdict.YES, {**YES_PROOF, "plan": [7]}), r"malformed.*\$\.plan"),
    "a certificate that is none": (ONE_PRESS, Finding(Verdict.YES, {}), "missing"),
    "UNKNOWN without a reason": (ONE_PRESS, Finding(Verdict.UNKNOWN), "without a reason"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_solver_is_caught(lie: str, answer_with: Install):
    problem, finding, message = LIES[lie]
    answer_with(finding)
    with pytest.raises(UnsoundAnswer, match=message):
        asking.ask(problem)


def test_a_certificate_accepted_for_one_question_is_no_answer_to_another(answer_with: Install):
    answer_with(Finding(Verdict.YES, YES_PROOF))
    assert asking.ask(ONE_PRESS, "solvable").verdict is Verdict.YES
    with pytest.raises(UnsoundAnswer, match="its certificate is for question 'solvable'"):
        asking.ask(ONE_PRESS, "losable")


def test_the_truth_passes(truthful: None):
    yes, no = asking.ask(ONE_PRESS), asking.ask(IMPOSSIBLE)
    assert (yes.verdict, yes.certified, yes.certificate) == (Verdict.YES, True, YES_PROOF)
    assert (no.verdict, no.certified, no.certificate) == (Verdict.NO, True, NO_PROOF)
    assert (yes.domain, yes.question, yes.reason) == ("lamps", "solvable", None)


def test_without_proof_only_a_no_may_come_without_certificate(answer_with: Install):
    answer_with(Finding(Verdict.NO))
    answer = asking.ask(IMPOSSIBLE, proof=False)
    assert answer.verdict is Verdict.NO
    assert not answer.certified
    answer_with(Finding(Verdict.YES))
    with pytest.raises(UnsoundAnswer, match="without a certificate"):
        asking.ask(ONE_PRESS, proof=False)


def test_without_proof_a_certificate_that_comes_anyway_is_checked(answer_with: Install):
    answer_with(Finding(Verdict.NO, {**NO_PROOF, "states": ["*."]}))
    with pytest.raises(UnsoundAnswer, match="out of the set"):
        asking.ask(IMPOSSIBLE, proof=False)


def test_unknown_keeps_its_reason(answer_with: Install):
    reason = Reason(Cause.INCOMPLETE, "only looks at corners")
    answer_with(Finding(Verdict.UNKNOWN, reason=reason, stats={"nodes": 7}))
    answer = asking.ask(ONE_PRESS)
    assert (answer.verdict, answer.reason, answer.certificate) == (Verdict.UNKNOWN, reason, None)
    assert answer.stats == {"nodes": 7}


def test_a_crash_in_a_solver_is_a_crash(answer_with: Install):
    def crash(problem: Grid, request: Request) -> Finding:
        raise ZeroDivisionError("a bug")

    answer_with(crash)
    with pytest.raises(ZeroDivisionError):
        asking.ask(ONE_PRESS)


def test_the_request_holds_what_was_asked(answer_with: Install):
    seen: list[Request] = []

    def remember(problem: Grid, request: Request) -> Finding:
        seen.append(request)
        return Finding(Verdict.UNKNOWN, reason=Reason(Cause.NODES))

    answer_with(remember)
    budget = Budget(nodes=3)
    news: list[Event] = []
    asking.ask(ONE_PRESS, budget=budget, proof=False, listen=news.append, states=100)
    asking.ask(ONE_PRESS)
    first, second = seen
    assert (first.question, first.budget, first.proof, first.options) == ("solvable", budget, False, {"states": 100})
    first.listen(Event(Kind.STAGE, "hello"))
    assert news[-1].message == "hello"
    assert (second.budget, second.proof, second.options) == (Budget(), True, {"states": 1 << 16})


@pytest.mark.parametrize(
    ("question", "options", "message"),
    [
        ("riddle", {}, "unknown lamps question 'riddle'"),
        (None, {"riddle": 1}, "option"),
        (None, {"states": 0}, "least 1"),
    ],
)
def test_bad_questions_and_options(truthful: None, question: str | None, options: dict[str, Any], message: str):
    with pytest.raises(BadOption, match=message):
        asking.ask(ONE_PRESS, question, **options)


def test_what_is_no_problem_is_a_type_error():
    with pytest.raises(TypeError, match=r"expected a problem that solvent\.load returned, found str"):
        asking.ask("lamps")


def test_checking_accepts_the_truth(truthful: None):
    asking.check(ONE_PRESS, YES_PROOF)
    asking.check(IMPOSSIBLE, NO_PROOF)


@pytest.mark.parametrize(
    ("certificate", "violations"),
    [
        (
            {},
            [
                f"expected the key '{key}', which is missing"
                for key in ("solvent", "domain", "question", "verdict", "form")
            ],
        ),
        ([], ["expected a JSON object, found []"]),
        (
            {"solvent": 2, "domain": "lamps", "question": "riddle", "verdict": "MAYBE", "form": 7},
            [
                "expected version 1, found 2",
                "lamps has no question 'riddle'",
                "expected the verdict YES or NO, found 'MAYBE'",
                "expected a form in words, found 7",
            ],
        ),
        ({**YES_PROOF, "plan": ["A1", "Z9"]}, ["step 2: expected a cell from A1 to A3, found 'Z9'"]),
        ({**YES_PROOF, "plan": []}, ["at the end 3 of 3 lamps are dark: ..."]),
        (
            {**NO_PROOF, "states": ["x", "....", "..."]},
            [
                "states[0]: expected 3 marks of '*' or '.', found 'x'",
                "states[1]: expected 3 marks of '*' or '.', found '....'",
            ],
        ),
        ({**NO_PROOF, "states": []}, ["the set does not contain the start ..."]),
    ],
)
def test_checking_lists_every_violation(truthful: None, certificate: Any, violations: list[str]):
    with pytest.raises(CertificateRejected) as caught:
        asking.check(ONE_PRESS, certificate)
    assert list(caught.value.violations) == violations


def test_a_malformed_body_is_a_violation_with_its_place(truthful: None):
    for certificate, place in (
        ({**YES_PROOF, "plan": ["A2", 7]}, r"\$\.plan\[1\]"),
        ({**NO_PROOF, "states": None}, r"\$\.states"),
        ({key: value for key, value in YES_PROOF.items() if key != "plan"}, "`plan`"),
    ):
        with pytest.raises(CertificateRejected, match=place):
            asking.check(ONE_PRESS, certificate)


def test_hints_are_checked_before_anyone_sees_them(lamps_with: Install):
    lamps_with(hints=hinting(Hint("Trust me.", move="A1", certificate={**YES_PROOF, "plan": ["A1"]})))
    with pytest.raises(UnsoundAnswer, match="certificate that was rejected"):
        next(asking.hints(ONE_PRESS))


def test_a_hint_is_checked_against_the_board_as_it_stands_by_then(lamps_with: Install):
    """Each step may rest on the ones before it, which `after` takes; nothing of what `find` says about them counts."""

    def find(problem: Grid, request: Request) -> Iterator[Hint]:
        for lamp in range(len(problem.lit)):
            yield Hint("Light one.", certificate=make_certificate("lamps", "lit", Verdict.YES, "step", lamp=lamp))
        yield Hint("Once more.", certificate=make_certificate("lamps", "lit", Verdict.YES, "step", lamp=0))

    def check(problem: Grid, certificate: Any, meter: Any) -> list[str]:
        return ["it is lit already"] if problem.lit[certificate["lamp"]] else []

    def after(problem: Grid, certificate: Any) -> Grid:
        lit = list(problem.lit)
        lit[certificate["lamp"]] = True
        return replace(problem, lit=tuple(lit))

    lamps_with(check=check, hints=Hints(find=find, after=after, claims={"lit": "One lamp is dark."}))
    hints = asking.hints(ONE_PRESS)
    found = [next(hints) for _ in range(3)]
    assert [hint.caption for hint in found] == ["Light one."] * 3
    assert [hint.subject.problem.lit.count(True) for hint in found if hint.subject is not None] == [0, 1, 2]
    with pytest.raises(UnsoundAnswer, match="lit already"):
        next(hints)


def test_every_certificate_of_a_hint_is_checked_and_a_step_has_one(lamps_with: Install):
    lost = Hint("Lost.", lost=True, certificate=NO_PROOF, also=((ONE_PRESS, YES_PROOF),))
    stay = {"after": lambda problem, certificate: problem}
    lamps_with(hints=hinting(lost, **stay))
    assert next(asking.hints(IMPOSSIBLE)).lost
    lamps_with(hints=hinting(replace(lost, also=((IMPOSSIBLE, YES_PROOF),)), **stay))
    with pytest.raises(UnsoundAnswer, match="certificate that was rejected"):
        next(asking.hints(IMPOSSIBLE))
    lamps_with(hints=hinting(Hint("Press A2.", move="A2"), **stay))
    with pytest.raises(UnsoundAnswer, match="a step without a certificate"):
        next(asking.hints(ONE_PRESS))


def test_a_claim_is_no_answer(lamps_with: Install):
    """What the certificate of a hint may state is not a question, and no question is answered by it."""
    lamps_with(
        solve=lambda problem, request: Finding(Verdict.YES, {**YES_PROOF, "question": "lit"}),
        check=lambda problem, certificate, meter: [],
        hints=hinting(claims={"lit": "One lamp is dark."}),
    )
    with pytest.raises(BadOption, match="lit"):
        asking.ask(ONE_PRESS, "lit")
    with pytest.raises(UnsoundAnswer, match="question 'lit'"):
        asking.ask(ONE_PRESS)


def test_which_verdicts_may_come_without_proof_is_for_the_question_to_say(lamps_with: Install):
    questions = {**QUESTIONS, "losable": Question("Can a press spoil it?", verdicts_without_proof=(Verdict.YES,))}
    lamps_with(questions=questions, solve=lambda problem, request: Finding(Verdict.YES))
    answer = asking.ask(ONE_PRESS, "losable", proof=False)
    assert (answer.verdict, answer.certified) == (Verdict.YES, False)
    with pytest.raises(UnsoundAnswer, match="without a certificate"):
        asking.ask(ONE_PRESS, "losable")
    with pytest.raises(UnsoundAnswer, match="without a certificate"):
        asking.ask(ONE_PRESS, "solvable", proof=False)
    lamps_with(questions=questions, solve=lambda problem, request: Finding(Verdict.NO))
    with pytest.raises(UnsoundAnswer, match="without a certificate"):
        asking.ask(ONE_PRESS, "losable", proof=False)


@pytest.mark.parametrize(("verdict", "made", "other"), [("YES", ONE_PRESS, IMPOSSIBLE), ("NO", IMPOSSIBLE, ONE_PRESS)])
def test_what_is_promised_of_generated_instances_is_proved(lamps_with: Install, verdict: str, made: Grid, other: Grid):
    promise = {"promises": lambda options: {"solvable": Verdict(verdict)}}
    lamps_with(generator=making(made, **promise))
    problem, answers = asking.generate("lamps", seed=1)
    assert problem is made
    assert [(answer.verdict, answer.certified) for answer in answers] == [(Verdict(verdict), True)]
    lamps_with(generator=making(other, **promise))
    with pytest.raises(UnsoundAnswer, match=f"solvable is not {verdict}"):
        asking.generate("lamps", seed=1)


@pytest.mark.parametrize("proof", [None, YES_PROOF])
def test_a_hint_that_all_is_lost_needs_a_certificate_that_says_so(lamps_with: Install, proof: dict[str, Any] | None):
    lamps_with(hints=hinting(Hint("All is lost.", lost=True, certificate=proof)))
    with pytest.raises(UnsoundAnswer, match="says that all is lost"):
        next(asking.hints(ONE_PRESS))


def test_hints_come_one_by_one(truthful: None):
    hints = list(asking.hints(Grid(3, 3, (False,) * 9)))
    assert [hint.move for hint in hints] == ["A1", "A3", "B2", "C1", "C3"]
    assert [hint.data["presses_left"] for hint in hints] == [5, 4, 3, 2, 1]
    (lost,) = asking.hints(IMPOSSIBLE)
    assert lost.lost
    (stuck,) = asking.hints(ONE_PRESS, budget=Budget(nodes=0))
    assert (stuck.lost, stuck.move) == (False, None)
    assert "out of nodes" in stuck.caption
    (finished,) = asking.hints(Grid(1, 1, (True,)))
    assert finished.move is None


def test_a_domain_without_hints_says_so(lamps_with: Install):
    lamps_with(name="silent", hints=None)
    with pytest.raises(BadOption, match="silent has no hints"):
        next(asking.hints(ONE_PRESS))


def test_what_is_attempted_may_fail_and_is_then_not_handed_out(lamps_with: Install):
    attempt = {"attempts": lambda options: None if options["rows"] == 1 else "solvable"}
    lamps_with(generator=making(ONE_PRESS, **attempt))
    problem, answers = asking.generate("lamps", seed=1)
    assert problem is ONE_PRESS
    assert [(answer.question, answer.certified) for answer in answers] == [("solvable", True)]
    assert asking.generate("lamps", seed=1, rows=1) == (ONE_PRESS, [])
    lamps_with(generator=making(IMPOSSIBLE, **attempt))
    with pytest.raises(GenerationFailed, match="lamps, seed 7: solvable is NO"):
        asking.generate("lamps", seed=7)
    with pytest.raises(GenerationFailed, match=r"lamps, seed 7: solvable is UNKNOWN: out of nodes \(limit 0\)"):
        asking.generate("lamps", seed=7, budget=Budget(nodes=0))
    with pytest.raises(BadOption, match="riddle"):
        asking.generate("lamps", seed=7, solve_options={"riddle": 1})


def test_a_promise_that_the_budget_left_open_is_no_lie(lamps_with: Install):
    promising = making(
        ONE_PRESS,
        promises=lambda options: {"solvable": Verdict.YES},
        attempts=lambda options: "solvable",  # promised already, so it is asked once
    )
    lamps_with(generator=promising)
    assert len(asking.generate("lamps")[1]) == 1
    with pytest.raises(GenerationFailed, match="out of nodes"):
        asking.generate("lamps", budget=Budget(nodes=0))
    unknown = Finding(Verdict.UNKNOWN, reason=Reason(Cause.INCOMPLETE, "too hard"))
    lamps_with(generator=promising, solve=lambda problem, request: unknown)
    with pytest.raises(UnsoundAnswer, match="too hard"):
        asking.generate("lamps")


def test_exporting_takes_a_yes_about_the_same_domain_and_an_ending_there_is(lamps_with: Install):
    def write(problem: Grid, answer: Answer, ending: str) -> bytes:
        assert answer.certificate is not None
        return f"{ending} {answer.certificate['plan']}".encode()

    lamps_with(exports=Exports(kinds={"csv": "one press a line"}, write=write))
    yes, no = asking.ask(ONE_PRESS), asking.ask(IMPOSSIBLE)
    assert asking.export(ONE_PRESS, yes, "csv") == solvent.export(ONE_PRESS, yes, "csv") == b"csv ['A2']"
    with pytest.raises(BadOption, match="unknown lamps export 'png'; there are: csv"):
        asking.export(ONE_PRESS, yes, "png")
    with pytest.raises(BadOption, match="only a YES with its certificate can be exported, found solvable: NO"):
        asking.export(IMPOSSIBLE, no, "csv")
    with pytest.raises(BadOption, match="only a YES with its certificate"):
        asking.export(ONE_PRESS, replace(yes, certificate=None), "csv")
    with pytest.raises(BadOption, match="expected an answer about lamps, found one about chess"):
        asking.export(ONE_PRESS, replace(yes, domain="chess"), "csv")


def test_a_domain_without_exports_says_so(truthful: None):
    with pytest.raises(BadOption, match="lamps has no files to export"):
        asking.export(ONE_PRESS, asking.ask(ONE_PRESS), "csv")


def test_what_the_picture_of_an_explanation_shows_is_checked_once(lamps_with: Install):
    explanation = Explanation((), certificates=((ONE_PRESS, YES_PROOF),), drawing=Drawing(certificate=YES_PROOF))
    checked: list[Any] = []

    def check(problem: Grid, certificate: Any, meter: Any) -> list[str]:
        checked.append(certificate)
        return LAMPS.check(problem, certificate, meter)

    lamps_with(check=check, explain=lambda problem, request: explanation)
    assert asking.explain(ONE_PRESS).drawing is not None
    assert len(checked) == 1
    wrong = replace(explanation, drawing=Drawing(certificate={**YES_PROOF, "plan": ["A1"]}))
    lamps_with(explain=lambda problem, request: wrong)
    with pytest.raises(UnsoundAnswer, match="rests on what was rejected"):
        asking.explain(ONE_PRESS)


def test_an_answer_has_no_truth_value(truthful: None):
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(asking.ask(ONE_PRESS))


def test_what_reading_assumed_is_on_the_answer(lamps_with: Install):
    lamps_with(remarks=lambda problem: ["One lamp is <dim>."])
    answer = asking.ask(ONE_PRESS)
    assert answer.remarks == ("One lamp is <dim>.",)
    assert answer.as_json()["remarks"] == ["One lamp is <dim>."]
    assert "One lamp is &lt;dim&gt;." in answer._repr_html_()


def test_answers_hints_and_explanations_show_themselves_in_a_notebook(lamps_with: Install):
    lamps_with(explain=lambda problem, request: Explanation((("Lamps <3>", ("three",)),)))
    answer, hint, explanation = asking.ask(ONE_PRESS), next(asking.hints(ONE_PRESS)), asking.explain(ONE_PRESS)
    for shown, text in ((answer, "solvable: YES"), (hint, hint.caption), (explanation, "Lamps &lt;3&gt;")):
        page = shown._repr_html_()
        assert text in page
        assert page.count("<svg ") == 1
    assert str(explanation) == "Lamps <3>\n  three"
    assert "<svg" not in Explanation(())._repr_html_()


def test_an_answer_travels_to_another_process_and_back():
    answer = solvent.ask(solvent.parse(solvent.examples("harmony")[0].text), "solvable")
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer
    assert again._repr_html_() == answer._repr_html_()
