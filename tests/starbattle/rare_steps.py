"""Boards on which the two rarest techniques have a step: n-rooks and uniqueness.

All were made by the generator, or by `solvable_puzzle` of the campaigns' instances, with some right marks.
"""

from __future__ import annotations

from typing import Any

from torture.instances.starbattle import puzzle_of

from solvent.core.answer import Verdict
from solvent.proof.certificate import make_certificate
from solvent.starbattle.hints.application import Application, Work, pairs
from solvent.starbattle.hints.position import position_of
from solvent.starbattle.hints.techniques import technique
from solvent.starbattle.hints.techniques.uniqueness import prove_only_solution
from solvent.starbattle.model import Puzzle

N_ROOKS = [
    puzzle_of("AAAAAB AAAAAB AACCDD ECCCCD ECCCCF ECCFFF", 1, "..x... x*x... ....*. .x..xx *..... ...*.."),
    puzzle_of(
        "AAABBBBBBC DDDBBBBBBC DDDDDBBBBC DDDDDDEBBC DFDDEEEEEE FFFFGGEEHH IFFGGGEEHH IIIGGJEEHH IIIGJJJJHH IIIIIJJJHH",
        2,
        ".x*....x.x .x.xx*x.x. x........x ..x....... .*.x.x*... ...x*x..*. x*.....xx. .x..x..x*. *.xx....xx ..x*.x.*x.",
    ),
    puzzle_of(
        "ABBBBBBBBC AABBDBDCCC AAADDDDDCC AAAEEEDDCC FFFEEEEDCC FGEEEEHDDC FGGGEEHDDI JJGGHEHHII JGGHHHHHHI JJJJJHHHHH",
        2,
        "....*.*.xx *..x.x..*. ..*..x*..x ...x..xx.. *......x.. ..xxx..*.x .*...xx..* x..*...*.. x.x.x*...* .*.*x.....",
    ),
    puzzle_of(
        "AAABBBBCCCCCDD AAABBBBCCCDDDD AAAAEEBCCCCDDD AAAAEEBCCCCFDD GGGEEEEEFFFFDD GGGGEEEHHFFFII JJGGGGHHHFFIII "
        "JJGKKHHHFFFIII JJGKKKKHHFLIII JJJJKKHHHLLLII JJJJKKKHHLLMMI JJNJKKKHLLLMMM NNNNNNNLLLMMMM NNNNNNNNNMMMMM",
        3,
        ".*x....xx..*.* xx.*x.*....... ..........*x.. ..*.*.*....... ........*....x *...*.*....... .x*...x.*.*..x "
        "*x..*........* .......*.x.*.. .........*...* x*.........*.. ...*.*.x.*x... x......*....*. .....*...*....",
    ),
]
"""One to three stars in a line; bases of rows and of columns, of one band and of two."""

UNIQUENESS = [
    puzzle_of("ABAACD EEDDAF DFDBFA AACECB EDAFCB FBEACC", 1, "...... xx..x. ..*... x..... ...... .x..x."),
    puzzle_of("AABCCC AAAACC DAAACC DAAACE DDDDEE DDDFFE", 1, "....x. .x.... x*.x.. ....x. ...x.. x....."),
    puzzle_of(
        "AABCCCCC AAAAACCC AAAACCCC DDDCCCCC DDDEECCC DDDEEFGF DDEEHFFF DDEEHFFF",
        1,
        ".x..x... ..x..... x.....x. ..xx.x.x .....x.x ........ ..x....x ..x....*",
    ),
    puzzle_of(
        "ABBBBBCCC AABBBBCCC ADDDDEECC ADDDEEECC ADDDEECCF GGGDEEHHF GGGDHHHHF GGGIHIHFF GGGIIIIII",
        2,
        "..*x*.x.x *x.....*. .x*.x..xx ...x..x.. ..x.x..x. .*x.xx... .xx...... .*xxx.... ..x*....x",
    ),
    puzzle_of(
        "AAABBBBBCC AAABDDBCCC EAAADDBCCC EAADDDDFFF EAADDGGGFF EGGGGGHFFF GGGIGGHFFF GIIIIGHHGF GGIIJGGGGG GGIIJJJJGG",
        2,
        ".....*..x. ....x..*x* x.....x... ..x..x..*. ..*...xx.x *x.x.x.x.x .x.......x x.x.x..... x.xx.x.... .*.......x",
    ),
]
"""The proof that there is one solution takes several steps on each."""


def steps_of(puzzle: Puzzle, module: str) -> list[Application]:
    """Return all that a technique finds."""
    if module == "uniqueness":
        from solvent.starbattle.hints.techniques import uniqueness

        return list(uniqueness.find(position_of(puzzle), Work(), only_solution=prove_only_solution))
    return list(technique(module).find(position_of(puzzle), Work()))


def certificate_of(puzzle: Puzzle, step: Application, **changed: Any) -> dict[str, Any]:
    """Return the certificate of a step, with some parts changed."""
    body: dict[str, Any] = {
        "technique": step.technique,
        "stars": pairs(step.stars, puzzle.size),
        "crosses": pairs(step.crosses, puzzle.size),
        "witness": dict(step.witness),
        **changed,
    }
    return make_certificate(puzzle.domain, "forced", Verdict.YES, "explained step", **body)
