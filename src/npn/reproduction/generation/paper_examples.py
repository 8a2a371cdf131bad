"""The three contexts of the paper's table 6, and what it prints of each model.

The paper gives no ingredients; those here are ours, written to fit the context and the reference.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PaperExample:
    """`printed` holds what the paper's generators say, by kind."""

    ingredients: tuple[str, ...]
    context: tuple[str, ...]
    reference: str
    printed: dict[str, str]


TABLE_6 = (
    PaperExample(
        (
            "2 pounds carrots, peeled",
            "1/4 cup butter",
            "3 tablespoons bourbon",
            "1 teaspoon dried thyme",
            "1/4 teaspoon pepper",
            "1/2 teaspoon salt",
        ),
        ("Preheat oven to 425 degrees.",),
        "Melt butter in saucepan and mix in bourbon, thyme, pepper, and salt.",
        {
            "npn": "Melt butter in skillet.",
            "vanilla": "Lightly grease 4 x 8 baking pan with sunflower oil.",
            "attentive": "Combine all ingredients and mix well.",
            "entnet": "In a large bowl, combine flour, baking powder, baking soda, salt, and "
            "pepper.",
        },
    ),
    PaperExample(
        (
            "1/2 cup sugar",
            "5 eggs",
            "1 can sweetened condensed milk",
            "1 1/2 cups milk",
            "1 teaspoon vanilla",
        ),
        (
            "Pour egg mixture over caramelized sugar in cake pan.",
            "Place cake pan in large shallow baking dish.",
            "Bake for 55 minutes or until knife inserted into flan comes out clean.",
        ),
        "Cover and chill at least 8 hours.",
        {
            "npn": "Refrigerate until ready to use.",
            "vanilla": "Serve at room temperature.",
            "attentive": "Store in an airtight container.",
            "entnet": "Store in an airtight container.",
        },
    ),
    PaperExample(
        (
            "1 large Hubbard squash",
            "1/4 cup butter",
            "2 tablespoons brown sugar",
            "1/2 teaspoon salt",
            "1/4 teaspoon nutmeg",
        ),
        ("Cut squash into large pieces and steam.", "Remove cooked squash from shells;"),
        "Measure 4 cups pulp and reserve remainder for another dish.",
        {
            "npn": "Drain.",
            "vanilla": "Mash pulp with a fork.",
            "attentive": "Set aside.",
            "entnet": "Set aside.",
        },
    ),
)
