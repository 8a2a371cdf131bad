"""Five questions to a tracked corpus, with DuckDB: prints a table for each and draws a picture.

pip install duckdb
npn corpus track mealmaster.jsonl.gz web.jsonl.gz -o tracked --model weak-labels
python examples/corpus_questions.py tracked --pictures docs/pictures/corpus
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from npn.corpus.report import bar_chart
from npn.evaluation.embeddings import PRINTED, median_rank, neighbours, share_within

LEAST = 200  # occurrences of an action that is compared with others
TABLES = ("recipes", "ingredients", "steps", "actions", "acts", "uses", "piles", "changes")

FIRST_COMPANY = """
WITH butter AS (SELECT recipe, ingredient FROM ingredients WHERE name = 'butter'),
together AS (
  SELECT mine.recipe, mine.step, other.ingredient
  FROM butter JOIN piles mine USING (recipe, ingredient)
  JOIN piles other ON (other.recipe, other.step, other.pile) = (mine.recipe, mine.step, mine.pile)
  WHERE other.ingredient <> mine.ingredient),
first AS (SELECT recipe, min(step) AS step FROM together GROUP BY recipe)
SELECT name, count(DISTINCT recipe) AS recipes,
       count(DISTINCT recipe) / (SELECT count(*) FROM first) AS share
FROM first JOIN together USING (recipe, step) JOIN ingredients USING (recipe, ingredient)
WHERE name <> 'butter' GROUP BY name ORDER BY recipes DESC, name LIMIT 12
"""

MINUTES = r"""
WITH said AS (
  SELECT recipe, step,
    60 * coalesce(try_cast(regexp_extract(text, '(\d+)\s*(?:-|to)?\s*\d*\s*(?:hours?|hrs?)\b', 1)
      AS INT), 0)
    + coalesce(try_cast(regexp_extract(text, '(\d+)\s*(?:-|to)?\s*\d*\s*min(?:ute)?s?\b', 1)
      AS INT), 0) AS minutes
  FROM steps),
known AS (SELECT * FROM said WHERE minutes <= 24 * 60),
left_over AS (
  SELECT i.name, i.recipe, sum(k.minutes) AS minutes
  FROM ingredients i JOIN known k ON k.recipe = i.recipe AND k.step >= i.first_use
  GROUP BY i.name, i.recipe, i.ingredient HAVING sum(k.minutes) > 0)
SELECT name, count(*) AS lines, median(minutes) AS minutes FROM left_over
WHERE name IN ('onion', 'garlic', 'butter', 'egg', 'flour', 'milk', 'carrot', 'chicken',
               'ground beef', 'parsley', 'lemon juice', 'vanilla extract', 'yeast', 'rice')
GROUP BY name ORDER BY minutes DESC, name
"""

COLD = """
WITH alone AS (
  SELECT recipe, step, any_value(action) AS action FROM actions
  GROUP BY recipe, step HAVING count(*) = 1),
cold AS (
  SELECT DISTINCT recipe, step FROM changes WHERE type = 'temperature' AND end_state = 'cold')
SELECT action, count(*) AS steps, count(cold.recipe) AS cold, count(cold.recipe) / count(*) AS share
FROM alone LEFT JOIN cold USING (recipe, step)
GROUP BY action HAVING steps >= 100 AND cold > 0 ORDER BY share DESC, action LIMIT 10
"""

ENDS = """
SELECT name, count(*) AS lines,
  count(*) FILTER (end_cookedness = 'cooked') / count(*) AS ends_cooked,
  count(*) FILTER (end_temperature = 'cold') / count(*) AS ends_cold,
  count(*) FILTER (end_temperature = 'hot') / count(*) AS ends_hot,
  count(*) FILTER (end_composition = 'composed') / count(*) AS ends_composed,
  count(*) FILTER (end_shape = 'separated') / count(*) AS ends_separated
FROM ingredients GROUP BY name ORDER BY lines DESC, name LIMIT 12
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pictures", type=Path, default=Path("pictures"))
    given = parser.parse_args()
    given.pictures.mkdir(parents=True, exist_ok=True)
    corpus = open_corpus(given.corpus)
    for name, (title, question) in QUESTIONS.items():
        table, chart = question(corpus)
        print(f"\n## {title}\n\n{table}")
        (given.pictures / f"{name}.svg").write_text(chart, encoding="utf-8")


def open_corpus(folder: Path) -> Any:
    """A connection in which every table of a tracked corpus is a view."""
    connection = duckdb.connect()
    for table in TABLES:
        files = str(folder / table / "*.parquet").replace("'", "''")
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{files}')")
    return connection


def first_company(corpus: Any) -> tuple[str, str]:
    rows = corpus.execute(FIRST_COMPANY).fetchall()
    table = markdown(("with", "recipes", "share"), [(n, f"{c:,}", f"{s:.1%}") for n, c, s in rows])
    chart = bar_chart(
        "Butter is first mixed with (% of recipes)", {n: 100 * s for n, _, s in rows}, "{:.1f} %"
    )
    return table, chart


def minutes(corpus: Any) -> tuple[str, str]:
    rows = corpus.execute(MINUTES).fetchall()
    table = markdown(
        ("ingredient", "lines", "median minutes"), [(n, f"{c:,}", f"{m:.0f}") for n, c, m in rows]
    )
    chart = bar_chart("Minutes from first use to the end (median)", {n: m for n, _, m in rows})
    return table, chart


def cold(corpus: Any) -> tuple[str, str]:
    rows = corpus.execute(COLD).fetchall()
    table = markdown(
        ("verb", "steps with this verb alone", "make something cold", "share"),
        [(n, f"{s:,}", f"{c:,}", f"{x:.1%}") for n, s, c, x in rows],
    )
    chart = bar_chart(
        "Steps of one verb that make something cold",
        {n: 100 * x for n, _, _, x in rows},
        "{:.1f} %",
    )
    return table, chart


def action_neighbours(corpus: Any) -> tuple[str, str]:
    """The paper's table 4: actions are near that stand in like company. Vectors are the leading
    singular vectors of how much more often than by chance (positive pointwise mutual information)
    an action stands with others two places to either side, and with each end state in its step."""
    names, vectors = action_vectors(corpus)
    found = neighbours(vectors, names)
    rows = [
        (one.action, ", ".join(one.nearest[:5]), ", ".join(PRINTED[one.action])) for one in found
    ]
    score = median_rank(found)
    listed = sum(len(PRINTED[one.action]) for one in found)
    ranked = sum(len(one.ranks) for one in found)
    others = len(names) - 1
    summary = (
        f"\n\nThe paper lists {listed} neighbours of these {len(found)} actions; {ranked} of them "
        f"are among the {len(names)} actions that occur at least {LEAST} times here. Of those "
        f"{ranked}, {share_within(found, 7):.0%} are among the nearest 7 and "
        f"{share_within(found, 20):.0%} among the nearest 20; by chance it would be "
        f"{7 / others:.0%} and {20 / others:.0%}. Their median rank is at {score.value:.1%} of the "
        "list."
    )
    within = {
        one.action: 100 * float(np.mean([rank.chance_within(20) for rank in one.ranks.values()]))
        for one in found
        if one.ranks
    }
    chart = bar_chart("The paper's neighbours among our nearest 20", within, "{:.0f} %")
    return markdown(("action", "nearest here", "nearest in the paper"), rows) + summary, chart


def action_vectors(corpus: Any, least: int = LEAST, size: int = 50) -> tuple[list[str], Any]:
    rows = corpus.execute(
        "SELECT recipe, action FROM (SELECT *, row_number() OVER () AS place FROM actions) "
        "ORDER BY recipe, step, place"
    ).fetchnumpy()
    actions, recipes = np.asarray(rows["action"]).astype(str), np.asarray(rows["recipe"])
    known, numbers, counts = np.unique(actions, return_inverse=True, return_counts=True)
    kept = np.flatnonzero(counts >= least)
    place = np.full(len(known), -1)
    place[kept] = np.arange(len(kept))
    numbers = place[numbers]
    company = np.zeros((len(kept), len(kept)))
    for apart in (1, 2):
        same = recipes[apart:] == recipes[:-apart]
        left, right = numbers[:-apart][same], numbers[apart:][same]
        both = (left >= 0) & (right >= 0)
        np.add.at(company, (left[both], right[both]), 1 / apart)
    states = state_company(corpus, [str(known[i]) for i in kept])
    pmi = np.hstack([ppmi(company), ppmi(company.T), ppmi(states)])
    left, strength, _ = np.linalg.svd(pmi, full_matrices=False)
    return [str(known[i]) for i in kept], left[:, :size] * np.sqrt(strength[:size])


def state_company(corpus: Any, names: Sequence[str]) -> Any:
    rows = corpus.execute(
        "SELECT action, type || ': ' || end_state AS state, count(*) AS n FROM actions JOIN "
        "(SELECT DISTINCT recipe, step, type, end_state FROM changes) USING (recipe, step) "
        "GROUP BY action, state"
    ).fetchall()
    states = {state: i for i, state in enumerate(sorted({row[1] for row in rows}))}
    table = np.zeros((len(names), len(states)))
    row_of = {name: i for i, name in enumerate(names)}
    for action, state, count in rows:
        if action in row_of:
            table[row_of[action], states[state]] = count
    return table


def ppmi(counts: Any) -> Any:
    total = max(counts.sum(), 1)
    expected = np.outer(counts.sum(1), counts.sum(0)) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(counts / expected)
    return np.maximum(np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0), 0.0)


def ends(corpus: Any) -> tuple[str, str]:
    rows = corpus.execute(ENDS).fetchall()
    shown = [(name, f"{lines:,}", *(f"{x:.0%}" for x in rest)) for name, lines, *rest in rows]
    table = markdown(
        ("ingredient", "lines", "cooked", "cold", "hot", "composed", "separated"), shown
    )
    values = {row[0]: 100 * row[2] for row in sorted(rows, key=lambda row: -row[2])}
    return table, bar_chart("Ingredients that end cooked", values, "{:.0f} %")


def markdown(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


QUESTIONS = {
    "butter": ("What is butter most often mixed with first?", first_company),
    "minutes": ("How many minutes pass between an ingredient's first use and the end?", minutes),
    "cold": ("Which verbs make things cold?", cold),
    "neighbours": ("Which actions are alike?", action_neighbours),
    "ends": ("Which states does each ingredient end in?", ends),
}


if __name__ == "__main__":
    main()
