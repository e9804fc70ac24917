"""Grids as pictures: text for a terminal, SVG for everything else."""

from __future__ import annotations

from solvent.core.answer import Certificate
from template_domain.model import Grid
from template_domain.notation import DARK, LIT, format_cell, parse_cell

CELL = 40
"""The width and height of a cell, in SVG units."""
YELLOW, PLAIN = "\x1b[33m", "\x1b[0m"


def draw_text(grid: Grid, *, move: str | None = None, colour: bool = False) -> str:
    """Draw the grid with its letters and numbers; brackets mark a move."""
    marked = None if move is None else parse_cell(grid, move)
    lines = ["   " + "".join(f" {col + 1} " for col in range(grid.cols)).rstrip()]
    for row in range(grid.rows):
        line = f" {chr(ord('A') + row)} "
        for cell in range(row * grid.cols, (row + 1) * grid.cols):
            lamp = LIT if grid.lit[cell] else DARK
            if colour and grid.lit[cell]:
                lamp = f"{YELLOW}{lamp}{PLAIN}"
            line += f"[{lamp}]" if cell == marked else f" {lamp} "
        lines.append(line.rstrip())
    return "\n".join(lines)


def draw_svg(grid: Grid, *, certificate: Certificate | None = None, move: str | None = None) -> str:
    """Draw the grid as a self-contained picture; a plan's presses bear their numbers, and a move has a ring."""
    plan = [] if certificate is None else [parse_cell(grid, press) for press in certificate.get("plan", ())]
    marked = None if move is None else parse_cell(grid, move)
    width, height = grid.cols * CELL, grid.rows * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="sans-serif" font-size="16" text-anchor="middle">',
        "<title>A grid of lamps</title>",
        f'<rect width="{width}" height="{height}" fill="#26303c"/>',
    ]
    for cell, lamp in enumerate(grid.lit):
        x, y = cell % grid.cols * CELL + CELL // 2, cell // grid.cols * CELL + CELL // 2
        ring = ' stroke="#e5484d" stroke-width="4"' if cell == marked else ""
        # The name of each cell is for people who listen to the picture instead of looking at it.
        title = f"<title>{format_cell(grid, cell)}, {'lit' if lamp else 'dark'}</title>"
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="14" fill="{"#ffd54a" if lamp else "#4a5666"}"{ring}>{title}</circle>'
        )
        numbers = ", ".join(str(step) for step, pressed in enumerate(plan, start=1) if pressed == cell)
        if numbers:
            parts.append(f'<text x="{x}" y="{y + 6}" fill="{"#26303c" if lamp else "#ffffff"}">{numbers}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
