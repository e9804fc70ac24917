"""The command `python -m torture`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import click
from benchmarks.machine import Stopwatch

from torture.campaign import Tally, Trial
from torture.campaigns import CAMPAIGNS, NAMES
from torture.running import run_campaign, work
from torture.table import counts_only, show_examples, show_table

FOLDER = Path("build") / "torture"
KEPT = Path(__file__).parent / "results.json"
"""The counts of the last full run, from which the documentation's tables are written."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=float, default=60.0, show_default=True, help="How long the whole run may take.")
@click.option("--campaign", "chosen", multiple=True, type=click.Choice(NAMES), help="Run only this; may be repeated.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed tries other things.")
@click.option("--round", "first_round", type=int, help="Repeat one round of one process of one campaign.")
@click.option("--process-seed", type=int, help="With --round: the seed of that process.")
@click.option("--json", "out", type=click.Path(path_type=Path), help="Where to write the results.")
@click.option("--keep", is_flag=True, help="Keep the counts for the documentation; see docs/reliability.md.")
def main(
    minutes: float,
    chosen: tuple[str, ...],
    seed: int,
    first_round: int | None,
    process_seed: int | None,
    out: Path | None,
    keep: bool,
) -> None:
    """Try to break Solvent in many ways, and count what was tried and what went wrong.

    The exit code is 0 if nothing went wrong and 1 otherwise.
    """
    if first_round is not None:
        sys.exit(_repeat(chosen, first_round, seed * 1000 if process_seed is None else process_seed))
    watch = Stopwatch()
    campaigns = [CAMPAIGNS[name] for name in chosen or NAMES]
    shares = sum(campaign.share for campaign in campaigns)
    tallies: dict[str, Tally] = {}
    for campaign in campaigns:
        click.echo(f"{campaign.name}: {campaign.title} …", err=True)
        seconds = 60.0 * minutes * campaign.share / shares
        tallies[campaign.name] = run_campaign(campaign, seconds=seconds, seed=seed, folder=FOLDER)
    results = {"minutes": minutes, "seed": seed, **watch.as_json()}
    results["campaigns"] = {
        name: {"title": CAMPAIGNS[name].title, **tally.as_json()} for name, tally in tallies.items()
    }
    target = out or FOLDER / "results.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(results, indent=1), encoding="utf-8")
    if keep:
        KEPT.write_text(json.dumps(counts_only(results), indent=1) + "\n", encoding="utf-8")
    show_table(results)
    show_examples(results)
    click.echo(f"Written to {target}.")
    sys.exit(1 if any(tally.failures for tally in tallies.values()) else 0)


def _repeat(chosen: tuple[str, ...], number: int, seed: int) -> int:
    if len(chosen) != 1:
        raise click.UsageError("--round needs one --campaign")
    campaign = CAMPAIGNS[chosen[0]]
    trial = Trial(
        seed, time.monotonic() + 3600, FOLDER / f"{campaign.name}-again", first_round=number, max_rounds=number + 1
    )
    work(campaign, trial)
    show_examples({"campaigns": {campaign.name: trial.tally.as_json()}})
    return 1 if trial.tally.failures else 0


if __name__ == "__main__":
    main()
