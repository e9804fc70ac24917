"""Read a configuration: learn its rules, lay out its grid, and translate its constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, ParseError
from solvent.formats.relaxed_json import to_strict_json
from solvent.formats.typed_json import read_json
from solvent.valency.art import STAGGERED
from solvent.valency.model import (
    CUBIC_ORBITALS,
    HEX,
    MAX_NODES,
    SQUARE,
    SQUARE_ORBITALS,
    Lattice,
    Layer,
    Rules,
    Staging,
    mask_of,
)
from solvent.valency.notation.adjacency import make_rules, require_module_count
from solvent.valency.notation.debroglie.constraints import ground, read_constraint
from solvent.valency.notation.debroglie.rotations import UNCHANGED, TileTurns, Turn, make_turns
from solvent.valency.notation.debroglie.setting import NOT_YET, Setting
from solvent.valency.notation.debroglie.shapes import AdjacencyShape, ConfigurationShape, TileShape, Word
from solvent.valency.notation.debroglie.sources import Source, read_source
from solvent.valency.notation.learning import learn_adjacent, learn_patterns
from solvent.valency.notation.samples import (
    CUBES,
    HEXAGONS,
    SQUARES,
    Cells,
    find_patterns,
    learn_pairs,
    make_modules,
    make_pattern_rules,
)

WHAT = "a DeBroglie configuration"
_STEPS = {
    "right": (1, 0, 0),
    "down": (0, 1, 0),
    "left": (-1, 0, 0),
    "up": (0, -1, 0),
    "above": (0, 0, 1),
    "below": (0, 0, -1),
}
_AXES = {"x+": (1, 0, 0), "x-": (-1, 0, 0), "y+": (0, 1, 0), "y-": (0, -1, 0), "z+": (0, 0, 1), "z-": (0, 0, -1)}


def parse_configuration(
    text: str, path: Path | None, *, size: Sequence[int] | None = None, meter: Meter = UNLIMITED
) -> Staging:
    """Read a configuration as a task; files that it names are looked for beside `path`.

    `size` is the width, height and perhaps depth to fill instead of those that it says.
    """
    shape = read_json(to_strict_json(text), ConfigurationShape, WHAT)
    remarks: list[str] = []
    reader = _Reader(shape, path, remarks.append, meter)
    try:
        staging = reader.read(size)
    except BadOption as error:
        raise ParseError(f"{WHAT} that can be learned from ({error})") from None
    return replace(staging, remarks=tuple(remarks))


class _Reader:
    def __init__(
        self, shape: ConfigurationShape, path: Path | None, remark: Callable[[str], None], meter: Meter
    ) -> None:
        self.shape = shape
        self.remark = remark
        self.meter = meter
        self._require_known()
        base = PurePosixPath(shape.base_directory.replace("\\", "/"))
        self.name = "" if path is None else path.stem
        self.source: Source = read_source(str(base / shape.src.replace("\\", "/")), path, remark)
        self.tile_turns = TileTurns()
        self.turns = [Turn()] if self.source.grid == HEXAGONS else self._read_turns()

    def read(self, size: Sequence[int] | None) -> Staging:
        """Return the task."""
        self._read_tile_turns()
        rules = self._weigh(self._learn())
        lattice = self._lattice(size)
        setting = self._setting(rules, lattice)
        constraints = [] if self.shape.ground is None else ground(self.shape.ground, setting, "$.ground")
        for number, given in enumerate(self.shape.constraints):
            constraints += read_constraint(given, setting, f"$.constraints[{number}]")
        return Staging(rules, lattice, constraints=tuple(constraints))

    # What is in the file

    def _require_known(self) -> None:
        shape = self.shape
        if shape.src_type is not None and shape.src_type.lower() != "sample":
            raise ParseError(f"srcType sample; others are {NOT_YET}", shape.src_type, path="$.srcType")
        if shape.auto_adjacency or shape.auto_adjacency_tolerance is not None:
            raise ParseError(f"adjacencies that are listed: autoAdjacency is {NOT_YET}", path="$.autoAdjacency")
        if shape.pad_tile is not None:
            raise ParseError(f"a configuration without padTile, which is {NOT_YET}", path="$.padTile")
        for number, tile in enumerate(shape.tiles):
            for key, value in (("rotationTreatment", tile.rotation_treatment), ("tileSymmetry", tile.tile_symmetry)):
                known = UNCHANGED if key == "rotationTreatment" else "x"
                if value is not None and value.lower() != known:
                    raise ParseError(f"{known}; others are {NOT_YET}", value, path=f"$.tiles[{number}].{key}")
            if tile.src is not None:
                raise ParseError(
                    f"tiles of one source: files of their own are {NOT_YET}", path=f"$.tiles[{number}].src"
                )
        if shape.rotation_treatment is not None and shape.rotation_treatment.lower() != UNCHANGED:
            expected = f"{UNCHANGED}; others are {NOT_YET}"
            raise ParseError(expected, shape.rotation_treatment, path="$.rotationTreatment")
        if shape.dest is not None:
            self.remark(f"dest: name the file to write when you solve it, as in -o {PurePosixPath(shape.dest).name}.")
        for key, searched in (("backtrack", shape.backtrack), ("animate", shape.animate)):
            if searched is not None:
                self.remark(f"{key}: says how DeBroglie searches, and changes nothing here.")

    def _read_turns(self) -> list[Turn]:
        rotations, mirrored = self._symmetry()
        return make_turns(rotations, mirrored, "$.symmetry")

    def _symmetry(self) -> tuple[int, bool]:
        shape = self.shape
        whole = 1 if shape.symmetry is None else shape.symmetry
        rotations, mirrored = (whole // 2, True) if whole % 2 == 0 else (whole, False)
        if shape.rotational_symmetry is not None:
            rotations = shape.rotational_symmetry
        if shape.reflectional_symmetry is not None:
            mirrored = shape.reflectional_symmetry
        return rotations, mirrored

    def _read_tile_turns(self) -> None:
        for number, tile in enumerate(self.shape.tiles):
            path = f"$.tiles[{number}]"
            turns = (
                ("reflectX", tile.reflect_x, Turn(0, True)),
                ("reflectY", tile.reflect_y, Turn(2, True)),
                ("rotateCw", tile.rotate_cw, Turn(1)),
                ("rotateCcw", tile.rotate_ccw, Turn(3)),
            )
            given = [(key, word, turn) for key, word, turn in turns if word is not None]
            if given and self.source.grid == HEXAGONS:
                raise ParseError(f"hexagons that stay as they are: turning them is {NOT_YET}", path=path)
            for key, word, turn in given:
                here = self.source.number(tile.value, f"{path}.value")
                self.tile_turns.add(here, turn, self.source.number(word, f"{path}.{key}"))

    # Rules

    def _learn(self) -> Rules:
        model, source = self.shape.model, self.source
        kind = model.type.lower()
        if kind not in ("adjacent", "overlapping"):
            raise ParseError("adjacent or overlapping", model.type, path="$.model.type")
        if kind == "overlapping":
            if self.shape.adjacencies:
                raise ParseError("adjacencies with the adjacent model only", path="$.adjacencies")
            return self._learn_patterns()
        if self.shape.adjacencies:
            return self._list_adjacencies()
        if source.cells is None:
            raise ParseError("adjacencies, since a tileset alone shows none", path="$.adjacencies")
        if source.grid != SQUARES:
            wraps = self._wraps()[0]
            symmetry = len(self.turns) if source.grid == CUBES else 1
            if symmetry not in (1, 2, 8):
                raise ParseError(f"symmetry 1, 2 or 8 of voxels; others are {NOT_YET}", symmetry, path="$.symmetry")
            return learn_adjacent(source.sample(), periodic=wraps, symmetry=symmetry, name=self.name)
        variants = self._variants(source.cells)
        often = sum(np.bincount(cells.reshape(-1), minlength=len(source.symbols)) for cells, _ in variants)
        return _without_unused(
            learn_pairs(source.sample(), variants, np.asarray(often), name=self.name), np.asarray(often)
        )

    def _variants(self, cells: Cells) -> list[tuple[Cells, tuple[bool, bool]]]:
        """Return the sample turned in all ways, tiles too, and whether each wraps around in x and y."""
        x, y = self._wraps()
        found = []
        for turn in self.turns:
            becomes = np.array([self.tile_turns.turned(tile, turn) for tile in range(len(self.source.symbols))])
            wraps = (y, x) if turn.quarters % 2 else (x, y)
            found.append((becomes[turn.cells(cells)].astype(np.int32), wraps))
        return found

    def _wraps(self) -> tuple[bool, bool]:
        shape = self.shape
        x = shape.periodic_input if shape.periodic_input_x is None else shape.periodic_input_x
        y = shape.periodic_input if shape.periodic_input_y is None else shape.periodic_input_y
        if self.source.grid != SQUARES and x != y:
            raise ParseError(
                f"a sample that wraps around both ways or none; others are {NOT_YET}", path="$.periodicInputX"
            )
        if shape.periodic_input_z:
            raise ParseError(f"a sample that does not wrap around in z, which is {NOT_YET}", path="$.periodicInputZ")
        return x, y

    def _learn_patterns(self) -> Rules:
        model, source = self.shape.model, self.source
        sizes = {model.n if one is None else one for one in (model.nx, model.ny)}
        if len(sizes) > 1 or not 2 <= model.n <= 8:
            raise ParseError(
                f"patterns as wide as they are high, of 2 to 8 tiles; others are {NOT_YET}", path="$.model"
            )
        [size] = sizes
        if source.cells is None:
            raise ParseError("a sample to learn patterns from", self.shape.src, path="$.src")
        if source.grid == HEXAGONS:
            rotations, mirrored = self._symmetry()
            return learn_patterns(
                source.sample(),
                pattern=size,
                symmetry=rotations * (2 if mirrored else 1),
                periodic=self._wraps()[0],
                name=self.name,
                meter=self.meter,
            )
        if source.grid != SQUARES:
            raise ParseError(
                f"the adjacent model for {source.grid}; patterns of them are {NOT_YET}", path="$.model.type"
            )
        tally: dict[bytes, int] = {}
        for cells, wraps in self._variants(source.cells):
            patterns, counts = find_patterns(cells, size, 1, wraps, self.meter)
            for pattern, count in zip(patterns, counts.tolist(), strict=True):
                key = pattern.astype(np.int32).tobytes()
                tally[key] = tally.get(key, 0) + count
        require_module_count(len(tally), f"different patterns of {size}x{size} cells")
        stacked = np.frombuffer(b"".join(tally), dtype=np.int32).reshape(-1, size, size)
        return make_pattern_rules(source.sample(), stacked, np.array(list(tally.values())), name=self.name)

    def _list_adjacencies(self) -> Rules:
        source = self.source
        if source.grid == HEXAGONS:
            raise ParseError(f"adjacencies of squares and cubes; those of hexagons are {NOT_YET}", path="$.adjacencies")
        layer = Layer("tiles", CUBIC_ORBITALS if source.grid == CUBES else SQUARE_ORBITALS)
        steps = [tuple(int(part) for part in orbital.direction or ()) for orbital in layer.orbital_set.orbitals]
        pairs: list[tuple[int, int, int]] = []
        for number, given in enumerate(self.shape.adjacencies):
            path = f"$.adjacencies[{number}]"
            here, there, step = self._read_adjacency(given, path)
            for turn in self.turns:
                x, y, z = turn.step(step)
                turned = (x, -y if source.is_flipped else y, z)
                if turned not in steps:
                    raise ParseError("a step to a neighbour", list(step), path=path)
                orbital, back = steps.index(turned), steps.index((-turned[0], -turned[1], -turned[2]))
                for one in here:
                    for other in there:
                        p, q = self.tile_turns.turned(one, turn), self.tile_turns.turned(other, turn)
                        pairs += [(orbital, p, q), (back, q, p)]
        count = len(source.symbols)
        require_module_count(count, "tiles with adjacencies")
        tables = np.zeros((len(steps), count, count), dtype=np.bool_)
        for orbital, p, q in pairs:
            tables[orbital, p, q] = True
        used = np.asarray(tables.any(axis=(0, 2)), dtype=np.int64)
        rules = make_rules(
            self.name, make_modules(source.sample(), np.ones(count, dtype=np.int64)), layer, list(tables)
        )
        return _without_unused(replace(rules, art=source.art), used)

    def _read_adjacency(self, given: AdjacencyShape, path: str) -> tuple[list[int], list[int], tuple[int, int, int]]:
        ways: tuple[tuple[str, list[Word] | None, str, list[Word] | None, tuple[int, int, int]], ...] = (
            ("left", given.left, "right", given.right, _STEPS["right"]),
            ("up", given.up, "down", given.down, _STEPS["down"]),
            ("above", given.above, "below", given.below, _STEPS["below"]),
            ("src", given.src, "dest", given.dest, (given.x, given.y, given.z)),
        )
        found = [way for way in ways if way[1] is not None or way[3] is not None]
        if len(found) != 1 or found[0][1] is None or found[0][3] is None:
            raise ParseError("left and right, up and down, above and below, or src and dest", path=path)
        name, first, other_name, second, step = found[0]
        first, second = first or [], second or []
        if given.direction is not None:
            if given.direction.lower() not in _AXES or name != "src":
                raise ParseError(f"a direction with src and dest: {', '.join(_AXES)}", given.direction, path=path)
            step = _AXES[given.direction.lower()]
        here = [self.source.number(word, f"{path}.{name}") for word in first]
        return here, [self.source.number(word, f"{path}.{other_name}") for word in second], step

    def _weigh(self, rules: Rules) -> Rules:
        """Return rules whose weights are changed as tiles ask for; a pattern has the weight of its first tile."""
        weights = [module.weight for module in rules.modules]
        by_tile = self._modules_by_tile(rules)
        for number, tile in enumerate(self.shape.tiles):
            factor, tiles = self._factor(tile, f"$.tiles[{number}]")
            for one in tiles:
                for module in by_tile.get(one, ()):
                    weights[module] *= factor
        modules = tuple(replace(one, weight=weight) for one, weight in zip(rules.modules, weights, strict=True))
        return replace(rules, modules=modules)

    def _factor(self, tile: TileShape, path: str) -> tuple[float, set[int]]:
        if tile.multiply_frequency is not None:
            value = self.source.number(tile.value, f"{path}.value")
            factor = _read_factor(tile.multiply_frequency, f"{path}.multiplyFrequency")
            return factor, self.tile_turns.orbit([value], self.turns)
        if tile.change_frequency is not None:
            value = self.source.number(tile.value, f"{path}.value")
            return 1 + _read_factor(tile.change_frequency, f"{path}.changeFrequency", least=-1), {value}
        return 1.0, set()

    def _modules_by_tile(self, rules: Rules) -> dict[int, list[int]]:
        """Return the modules that show each tile: one, or the patterns that begin with it."""
        tiles = {(symbol.name, symbol.look): number for number, symbol in enumerate(self.source.symbols)}
        found: dict[int, list[int]] = {}
        for number, module in enumerate(rules.modules):
            found.setdefault(tiles[module.name, module.look], []).append(number)
        return found

    # The grid and what is asked of it

    def _lattice(self, size: Sequence[int] | None) -> Lattice:
        shape = self.shape
        if self.source.art is not None and self.source.art.orientation == STAGGERED:
            raise ParseError(
                f"a map of squares or hexagons; staggered ones are {NOT_YET} in a configuration", path="$.src"
            )
        depth = shape.depth if self.source.grid == CUBES else 1
        width, height, depth = (*size, 1, 1)[:3] if size is not None else (shape.width, shape.height, depth)
        wraps = tuple(
            shape.periodic if one is None else one for one in (shape.periodic_x, shape.periodic_y, shape.periodic_z)
        )
        kind = HEX if self.source.grid == HEXAGONS else SQUARE
        if min(width, height, depth) < 1 or width * height * depth > MAX_NODES:
            raise ParseError(f"a grid of 1 to {MAX_NODES} cells", f"{width}x{height}x{depth}", path="$.width")
        if kind == HEX and wraps[1] and height % 2:
            raise ParseError("an even height where hexagons wrap around in y", height, path="$.height")
        return Lattice(width, height, depth, kind, (wraps[0], wraps[1], wraps[2] and depth > 1))

    def _setting(self, rules: Rules, lattice: Lattice) -> Setting:
        by_tile = self._modules_by_tile(rules)

        def mask(tile: int) -> int:
            return mask_of(by_tile.get(tile, ()))

        def modules(words: Iterable[Word], path: str) -> int:
            together = 0
            for word in words:
                together |= mask(self.source.number(word, path))
            if not together:
                raise ParseError("tiles that the rules have", list(words), path=path)
            return together

        return Setting(
            rules=rules,
            lattice=lattice,
            modules=modules,
            turns=self.turns,
            tile_turns=self.tile_turns,
            number=self.source.number,
            mask=mask,
            tiles=[tile for _, tile in sorted((module, tile) for tile, those in by_tile.items() for module in those)],
            is_flipped=self.source.is_flipped,
            remark=self.remark,
        )


def _read_factor(value: str | float, path: str, least: float = 0.0) -> float:
    text = str(value).strip()
    try:
        factor = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise ParseError("a number, or a share such as 50%", value, path=path) from None
    if not least <= factor <= 1e9:
        raise ParseError(f"a number of {least:g} or more", value, path=path)
    return factor


def _without_unused(rules: Rules, used: npt.NDArray[np.int64]) -> Rules:
    """Return rules without modules that nothing says anything about."""
    kept = np.flatnonzero(used).tolist()
    if len(kept) == len(rules.modules):
        return rules
    place = {number: at for at, number in enumerate(kept)}

    def moved(mask: int | None) -> int | None:
        if mask is None:
            return None
        return mask_of(place[at] for at in range(len(rules.modules)) if mask >> at & 1 and at in place)

    modules = []
    for number in kept:
        module = rules.modules[number]
        bonds = tuple(replace(one, neighbours=tuple(moved(mask) for mask in one.neighbours)) for one in module.bonds)
        modules.append(replace(module, bonds=bonds))
    return replace(rules, modules=tuple(modules))
