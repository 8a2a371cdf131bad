"""Names that share a word ("peanut or safflower oil") or stand back to front ("onions, red")."""

from __future__ import annotations

from npn.language.lemmas import lemma
from npn.language.line_words import words_of

Piece = tuple[str, list[str]]  # a conjunction, and the food words after it

# Made of what follows "of": "juice of a lemon" is lemon juice.
MADE_OF = words_of("juice zest rind peel")
COLOURS = words_of("red green yellow orange white black brown golden purple blue")
# What a word before "and" or "or" can be short for.
_KINDS_OF = {
    head: words_of(kinds)
    for head, kinds in {
        "oil": "peanut safflower canola olive vegetable corn sunflower sesame walnut salad "
        "grapeseed cooking soybean hazelnut almond coconut cottonseed",
        "broth": "chicken beef vegetable turkey veal fish",
        "stock": "chicken beef vegetable turkey veal fish",
        "bouillon": "chicken beef vegetable",
        "vinegar": "cider wine rice balsamic malt sherry distilled raspberry",
        "juice": "lemon lime orange grapefruit pineapple apple cranberry",
        "sugar": "granulated powdered confectioners' confectioner's caster castor",
        "flour": "all-purpose bread cake pastry plain unbleached wheat rye",
        "cheese": "cheddar swiss jack parmesan romano mozzarella provolone monterey american colby "
        "feta ricotta cottage gruyere",
        "seed": "poppy sesame caraway sunflower pumpkin celery fennel cumin mustard",
        "bean": "kidney pinto navy lima black white garbanzo green wax great cannellini",
        "lettuce": "iceberg romaine boston bibb leaf cos butter",
        "mustard": "dijon brown creole whole-grain grainy",
        "sausage": "italian polish smoked kielbasa pork andouille",
        "wine": "port burgundy marsala",
        "salt": "kosher sea table onion garlic celery",
        "bread": "french italian rye sourdough pita pumpernickel",
        "roll": "french italian kaiser sandwich",
        "chili": "thai serrano poblano anaheim jalapeno",
        "chile": "thai serrano poblano anaheim jalapeno",
        "pepper": "bell cayenne jalapeno serrano poblano anaheim sweet",
        "mushroom": "shiitake button cremini portobello oyster",
        "olive": "kalamata ripe",
        "nectar": "apricot peach mango pear",
        "jam": "raspberry strawberry apricot blackberry",
        "preserve": "raspberry strawberry apricot blackberry peach",
        "extract": "vanilla almond lemon rum maple",
        "cream": "whipping heavy sour double single light vanilla chocolate strawberry",
    }.items()
}
# Names that people write back to front: "Onions, yellow".
_INVERTED = words_of("""
    flour sugar cheese onion pepper oil vinegar rice bean milk cream tomato potato apple bread
    chicken beef pork lamb turkey fish mushroom lettuce cabbage squash nut olive juice wine broth
    stock soup sauce mustard butter chocolate seed chili chile pea noodle pasta cracker syrup salt
    bacon sausage ham steak water yogurt corn egg margarine shortening raisin crumb breadcrumb
    garlic ginger tofu lentil cherry pear peach pineapple berry ginger extract powder bouillon
    yeast cocoa coffee gelatin pickle macaroni spaghetti carrot celery spinach parsley basil
    """)
_CUTS = words_of(
    "breast thigh wing leg chop loin shoulder yolk drumstick fillet meat roast steak chuck "
    "round sirloin brisket rib powder"
)
# After a comma and no amount, a name of its own: "salt, pepper".
STANDS_ALONE = words_of(
    "salt pepper paprika garlic butter sugar cinnamon nutmeg oregano basil thyme parsley cumin "
    "ginger lemon onion celery carrot egg flour milk water oil vinegar mayonnaise ketchup"
)


def add_qualifier(pieces: list[Piece], words: list[str], has_amount: bool) -> None:
    """ "Onions" and then "yellow": "yellow onions". "Salt" and then "pepper": two names."""
    name = pieces[-1][1]
    last = lemma(words[-1])
    if last == "garlic" and lemma(name[0]) == "clove":
        name[:] = words
    elif last in STANDS_ALONE and not has_amount:
        pieces.append(("and", words))
    elif lemma(name[-1]) in _INVERTED and words[-1] != name[-1]:
        if last in _CUTS or (last == "white" and lemma(name[0]) == "egg"):
            name += words
        elif len(name) == 1 or words[0] in COLOURS:
            name[:0] = words


def share_heads(pieces: list[Piece]) -> None:
    """ "Peanut or safflower oil" is peanut oil or safflower oil."""
    for i in range(len(pieces) - 2, -1, -1):
        words, following = pieces[i][1], pieces[i + 1][1]
        if len(following) < 2:
            continue
        if words[-1] in COLOURS:
            words += following[1:]
        elif words[-1] in _KINDS_OF.get(lemma(following[-1]), ()):
            words.append(following[-1])
        elif len(words) == 1 and words[0] in MADE_OF and following[-1] in MADE_OF:
            words[:0] = following[:-1]
