"""Collecting rounds, taking medians, printing tables."""
import json
import pathlib
import statistics

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "bench" / "results"


class Rounds:
    """What contenders did in interleaved rounds: numbers by contender and measure."""

    def __init__(self):
        self.values = {}

    def add(self, contender, **measures):
        for name, value in measures.items():
            self.values.setdefault(contender, {}).setdefault(name, []).append(value)

    def median(self, contender, measure):
        values = self.values.get(contender, {}).get(measure)
        return statistics.median(values) if values else None

    def table(self):
        return {
            contender: {name: statistics.median(values) for name, values in measures.items()}
            for contender, measures in self.values.items()}


def shown(value):
    if value is None:
        return "–"
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.3g}"


def report(name, rounds, ratios=()):
    """Prints the medians of a benchmark, then ratios and their goals, and writes both to its file.

    `ratios`: (text, value, goal as text) each."""
    table = rounds.table()
    measures = list(dict.fromkeys(measure for row in table.values() for measure in row))
    print(f"\n{name} (medians)")
    rows = [[""] + measures] + [
        [contender] + [shown(row.get(measure)) for measure in measures] for contender, row in table.items()]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        print("  " + row[0].ljust(widths[0]) + "".join(
            "  " + cell.rjust(width) for cell, width in zip(row[1:], widths[1:])))
    for text, value, goal in ratios:
        print(f"  {text}: {shown(value)} (goal {goal})")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps({
        "medians": table, "rounds": rounds.values,
        "ratios": [{"what": text, "value": value, "goal": goal} for text, value, goal in ratios]}, indent=2) + "\n")


def divided(left, right):
    return left / right if left is not None and right else None
