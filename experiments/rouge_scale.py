"""Can any variant of ROUGE-L reach the paper's 33 to 36? The generator that ships says the next
step after every step of gold recipes, and every variant is printed:

    python experiments/rouge_scale.py $NPN_DATA/gold/npn_entities_dev.jsonl

The sentences are those of `npn next`. The tracker is `weak-labels`, for speed.
"""

from __future__ import annotations

import sys

import npn
from npn.evaluation.gold import read_gold
from npn.networks.generator.generator import load_generator
from npn.reproduction.generation.rouge import rouge_variants


def main() -> None:
    tracker, generator = npn.load("weak-labels"), load_generator()
    candidates, references = [], []
    for gold in read_gold(sys.argv[1]):
        process = tracker.begin(gold.recipe.ingredients)
        read = []
        for step, following in zip(gold.recipe.steps, gold.recipe.steps[1:], strict=False):
            read.append(process.read(step))
            found = generator.suggest(process.ingredients, read, 1).suggestions
            if found:
                candidates.append(found[0].text.lower())
                references.append(following.lower())
    print(f"{len(candidates)} steps")
    for name, value in rouge_variants(candidates, references).items():
        print(f"{value:6.1f}  {name}")
    shuffled = references[1:] + references[:1]
    print("the same, against the reference of another step:")
    for name, value in rouge_variants(candidates, shuffled).items():
        if name.endswith("F, beta 1"):
            print(f"{value:6.1f}  {name}")


if __name__ == "__main__":
    main()
