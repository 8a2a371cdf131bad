"""Sentences that cooks write, each with what a careful reader says of the food after it.

A case is a short recipe of our own. `expected` names, for some of its ingredients, the state that
its last step brings about ("hot"), the head noun of the place that it leads to, or None for a type
of state that must not change there. Ingredients are named by a word of their line.
"""

from __future__ import annotations

from dataclasses import dataclass

State = dict[str, str | None]


@dataclass(frozen=True, slots=True)
class SentenceCase:
    name: str
    ingredients: tuple[str, ...]
    steps: tuple[str, ...]
    expected: dict[str, State]


def case(name: str, lines: str, steps: str, expected: dict[str, State]) -> SentenceCase:
    """Lines stand between semicolons, steps between bars."""
    ingredients = tuple(line.strip() for line in lines.split(";"))
    return SentenceCase(
        name, ingredients, tuple(step.strip() for step in steps.split("|")), expected
    )


CASES = (
    # -- Where food goes
    case(
        "take it out of the oven",
        "1 chicken; 1 tbsp oil",
        "Rub the chicken with the oil and put it in a roasting tin. | Roast in the oven for an "
        "hour. | Take it out of the oven and put it on a plate.",
        {"chicken": {"location": "plate"}},
    ),
    case(
        "remove the cake from the tin",
        "200 g butter; 200 g sugar; 4 eggs; 200 g flour",
        "Beat the butter and sugar in a bowl, then beat in the eggs and fold in the flour. | "
        "Scrape the batter into a cake tin and bake for 30 minutes. | Remove the cake from the "
        "tin and set it on a rack.",
        {"flour": {"location": "rack"}, "egg": {"location": "rack"}},
    ),
    case(
        "let cool on a rack",
        "2 cups flour; 1 cup sugar; 1 egg",
        "Mix the flour, sugar and egg in a bowl. | Shape into balls on a baking sheet and bake "
        "for 12 minutes. | Let cool on a rack.",
        {"flour": {"location": "rack", "temperature": "room"}},
    ),
    case(
        "return the beef to the pot",
        "500 g beef; 1 onion; 2 cups stock",
        "Brown the beef in a pot, then move it to a plate. | Cook the onion in the pot until soft "
        "and pour in the stock. | Return the beef to the pot.",
        {"beef": {"location": "pot", "composition": "composed"}},
    ),
    case(
        "divide among bowls",
        "1 onion; 2 leeks; 1 l stock",
        "Simmer the onion and leeks with the stock in a saucepan until tender. | Divide among "
        "bowls.",
        {"leek": {"location": "bowl"}, "onion": {"location": "bowl"}},
    ),
    case(
        "fish out",
        "1 bay leaf; 500 g lentils; 1 l water",
        "Boil the lentils in the water with the bay leaf in a large pot for 25 minutes. | Fish "
        "out the bay leaf and throw it away.",
        {"bay leaf": {"composition": "not composed"}},
    ),
    case(
        "plonk",
        "1 chicken; 2 lemons",
        "Plonk the chicken in a roasting tin with the lemons.",
        {"chicken": {"location": "tin"}},
    ),
    case(
        "chuck",
        "2 carrots; 1 onion",
        "Chuck the carrots and onion into a big pot.",
        {"carrot": {"location": "pot"}, "onion": {"location": "pot"}},
    ),
    case(
        "double strain",
        "2 oz gin; 1 oz lemon juice; ice",
        "Shake the gin and lemon juice with ice in a shaker. | Double strain into a chilled glass.",
        {"gin": {"location": "glass"}, "lemon juice": {"location": "glass"}},
    ),
    # -- How warm it is, and how done
    case(
        "bring to room temperature",
        "250 g butter; 3 eggs",
        "Bring the butter and eggs to room temperature.",
        {"butter": {"temperature": "room"}, "egg": {"temperature": "room"}},
    ),
    case(
        "sizzle",
        "1 tbsp oil; 2 cloves garlic",
        "Heat the oil in a frying pan. | Sizzle the garlic in it for a minute.",
        {"garlic": {"cookedness": "cooked", "temperature": "hot"}},
    ),
    case(
        "bubble",
        "1 can tomatoes; 1 onion",
        "Tip the tomatoes and onion into a saucepan and bubble for 20 minutes.",
        {"tomato": {"cookedness": "cooked"}, "onion": {"cookedness": "cooked"}},
    ),
    case(
        "softened until translucent",
        "1 tbsp oil; 1 onion",
        "Heat the oil in a pan. | Cook the onion until softened and translucent.",
        {"onion": {"cookedness": "cooked", "temperature": "hot"}},
    ),
    case(
        "brown the mince",
        "500 g lean beef mince; 1 onion",
        "Brown the mince in a large pan.",
        {"mince": {"cookedness": "cooked", "temperature": "hot"}, "onion": {"cookedness": None}},
    ),
    case(
        "when cool",
        "4 beets; 1 tbsp vinegar",
        "Boil the beets in a pot until tender. | When cool, peel and slice them.",
        {"beet": {"shape": "separated"}},
    ),
    # -- Shape
    case(
        "slice against the grain",
        "1 flank steak; 1 tsp salt",
        "Season the steak with the salt and grill it for 8 minutes. | Let it rest, then slice "
        "against the grain.",
        {"steak": {"shape": "separated"}},
    ),
    case(
        "divided is no shape",
        "4 tbsp butter, divided; 2 cups rice",
        "Put half of the butter in a pot.",
        {"butter": {"shape": None}},
    ),
    # -- Appliances
    case(
        "sous vide",
        "2 steaks; 1 tsp salt",
        "Salt the steaks and seal them in a bag. | Sous vide them in the water bath for 2 hours.",
        {"steak": {"cookedness": "cooked", "temperature": "hot"}},
    ),
    case(
        "air fryer",
        "500 g potatoes; 1 tbsp oil",
        "Toss the potatoes with the oil in a bowl. | Put them in the air fryer and cook for 15 "
        "minutes.",
        {"potato": {"cookedness": "cooked", "location": "fryer"}},
    ),
    case(
        "pressure cooker",
        "2 cups beans; 6 cups water",
        "Put the beans and water in the pressure cooker and cook on high pressure for 40 minutes.",
        {"bean": {"cookedness": "cooked", "location": "cooker"}},
    ),
    case(
        "slow cooker",
        "1 kg pork; 1 cup broth",
        "Put the pork and broth in the slow cooker. | Cook on low for 8 hours.",
        {"pork": {"cookedness": "cooked", "temperature": "hot"}},
    ),
    case(
        "stand mixer",
        "3 cups flour; 1 cup water; 1 tsp yeast",
        "Mix the flour, water and yeast in the bowl of a stand mixer.",
        {"flour": {"composition": "composed"}, "yeast": {"composition": "composed"}},
    ),
    case(
        "microwave",
        "100 g chocolate; 50 g butter",
        "Put the chocolate and butter in a bowl. | Microwave in bursts until melted.",
        {"chocolate": {"temperature": "hot"}},
    ),
    # -- Negation, options and alternatives do nothing
    case(
        "do not boil",
        "2 cups milk; 1 vanilla bean",
        "Put the milk and vanilla bean in a jug. | Do not boil the milk.",
        {"milk": {"cookedness": None, "temperature": None}},
    ),
    case(
        "you can freeze the rest",
        "2 cups flour; 1 cup sugar",
        "Mix the flour and sugar in a bowl. | You can freeze the rest for a month.",
        {"flour": {"temperature": None, "location": None}},
    ),
    case(
        "if using frozen",
        "2 cups peas; 1 onion",
        "Chop the onion on a board. | If using frozen peas, do not thaw them.",
        {"pea": {"temperature": None, "location": None}},
    ),
    case(
        "never rinse",
        "500 g mushrooms; 1 tbsp oil",
        "Put the mushrooms in a bowl. | Never rinse the mushrooms.",
        {"mushroom": {"cleanliness": None}},
    ),
    case(
        "alternatively",
        "1 salmon fillet; 1 lemon",
        "Grill the salmon for 10 minutes. | Alternatively, bake it in the oven for 15 minutes.",
        {"salmon": {"location": None}},
    ),
)
