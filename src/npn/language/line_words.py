"""What each word of an ingredient line does there: measure, describe, prepare, or end the name.

A word that is not listed is taken for food: a name loses only what we know to be none.
"""

from __future__ import annotations


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


FOOD, NUMBER, UNIT, SIZE, ADJECTIVE, PREPARATION, STOP, AND, OF, BREAK, NOTE = range(11)

# Meal-Master codes and abbreviations to the unit they stand for.
UNITS: dict[str, str] = {
    "c": "cup", "cup": "cup", "tb": "tablespoon", "tbs": "tablespoon", "tbsp": "tablespoon",
    "tbl": "tablespoon", "tblsp": "tablespoon", "tbls": "tablespoon", "tablespoon": "tablespoon",
    "tablespoonful": "tablespoon", "tbsn": "tablespoon", "tsb": "tablespoon",
    "ts": "teaspoon", "tsp": "teaspoon", "t": "teaspoon", "teaspoon": "teaspoon",
    "teaspoonful": "teaspoon", "tspn": "teaspoon",
    "oz": "ounce", "ounce": "ounce", "fl": "fluid", "fluid": "fluid", "lb": "pound",
    "lbs": "pound", "pound": "pound", "g": "gram", "gm": "gram", "gr": "gram", "gram": "gram",
    "gramme": "gram", "grm": "gram", "kg": "kilogram", "kilo": "kilogram", "kilogram": "kilogram",
    "mg": "milligram", "ml": "milliliter", "milliliter": "milliliter", "millilitre": "milliliter",
    "cl": "centiliter", "dl": "deciliter", "l": "liter", "liter": "liter", "litre": "liter",
    "ltr": "liter", "qt": "quart", "quart": "quart", "pt": "pint", "pint": "pint",
    "ga": "gallon", "gal": "gallon", "gallon": "gallon", "cc": "milliliter",
    "ea": "each", "x": "each", "ds": "dash", "dash": "dash", "pn": "pinch", "pinch": "pinch",
    "dr": "drop", "drop": "drop", "cn": "can", "can": "can", "tin": "can", "pk": "package",
    "pkg": "package", "pkgs": "package", "pkt": "package", "package": "package",
    "packet": "package", "packages": "package", "pkge": "package", "pack": "package",
    "sl": "slice", "slice": "slice", "bn": "bunch", "bunch": "bunch", "ct": "carton",
    "carton": "carton", "cb": "cubic centimeter", "envelope": "envelope", "env": "envelope",
    "jar": "jar", "jr": "jar", "box": "box", "bx": "box", "bag": "bag", "bg": "bag",
    "bottle": "bottle", "btl": "bottle", "container": "container", "tub": "tub", "tube": "tube",
    "sheet": "sheet", "carcass": "carcass", "crock": "crock", "case": "case", "basket": "basket",
    "clove": "clove", "stalk": "stalk", "sprig": "sprig", "head": "head", "stick": "stick",
    "rib": "rib", "ear": "ear", "bulb": "bulb", "leaf": "leaf", "piece": "piece", "pc": "piece",
    "strip": "strip", "cube": "cube", "chunk": "chunk", "wedge": "wedge", "ring": "ring",
    "floret": "floret", "flowerets": "floret", "floweret": "floret", "spear": "spear",
    "kernel": "kernel", "half": "half", "quarter": "quarter", "third": "third", "loaf": "loaf",
    "bar": "bar", "square": "square", "sq": "square", "block": "block", "knob": "knob",
    "handful": "handful", "batch": "batch", "recipe": "recipe", "serving": "serving",
    "portion": "portion", "scoop": "scoop", "splash": "splash", "dollop": "dollop",
    "drizzle": "drizzle", "sprinkle": "sprinkle", "sprinkling": "sprinkle", "squeeze": "squeeze",
    "squirt": "squirt", "glug": "glug", "shot": "shot", "jigger": "jigger", "part": "part",
    "inch": "inch", "in": "inch", "cm": "centimeter", "mm": "millimeter", "bunches": "bunch",
    "dozen": "dozen", "doz": "dozen", "pair": "pair", "slab": "slab", "side": "side",
    "rack": "rack", "link": "link", "round": "round", "disk": "disk", "disc": "disk",
    "bit": "bit", "pat": "pat", "shake": "shake", "grind": "grind", "grinding": "grind",
    "smidgen": "smidgen", "glass": "glass", "bowl": "bowl", "segment": "segment",
    "cupful": "cup", "spoonful": "spoonful", "spoon": "spoonful", "touch": "touch",
    "hint": "hint", "assortment": "assortment", "amount": "amount", "capful": "capful",
    "fistful": "handful", "thickness": "inch", "length": "inch", "few": "few",
    "couple": "couple", "several": "several", "lot": "lot", "gl": "gallon", "bt": "bottle",
    "en": "envelope", "lf": "leaf", "cl.": "clove", "st": "stalk", "slc": "slice",
    "sprg": "sprig", "heaping": "heaping", "scant": "scant", "level": "level",
    "rounded": "rounded", "generous": "generous", "weight": "weight", "count": "count",
    "size": "size", "degree": "degree", "f": "degree", "tsps": "teaspoon",
    "layer": "layer", "package(s)": "package", "canister": "can", "pouch": "package",
    "sachet": "package", "roll": "roll", "log": "log", "tray": "tray", "pot": "pot",
    "bouquet": "bunch", "stem": "stem", "branch": "stem", "florets": "floret",
}  # fmt: skip
del UNITS["in"], UNITS["cl."], UNITS["package(s)"], UNITS["pot"], UNITS["round"]

NUMBERS = words_of("""
    one two three four five six seven eight nine ten eleven twelve fifteen sixteen twenty a an some
    any the another either ½ ⅓ ⅔ ¼ ¾ ⅕ ⅖ ⅗ ⅘ ⅙ ⅚ ⅛ ⅜ ⅝ ⅞ additional extra more less enough approx
    approximately approx. about around up # % ~ + = @ no
    """)

_SIZES = """
    small medium large sm md med lg lge lrg jumbo big huge tiny giant medium-size medium-sized
    large-size large-sized small-size small-sized medium-large regular regular-size good-sized
    good-size average average-size bite-size bite-sized pound-size sized mini miniature petite
    heaped full long short thick thin wide inch-thick one-inch two-inch lrge extra-large
    thick-cut thin-cut thinly-sliced thick-sliced
"""

_ADJECTIVES = """
    fresh ripe firm firm-ripe firm-tender unripe overripe raw whole plain pure natural organic real
    genuine good best quality good-quality high-quality top-quality best-quality fine finest fancy
    favorite favourite your our my own homemade home-made store-bought storebought commercial
    ready-made ready-to-use ready-to-eat ready-to-serve deli bakery supermarket local imported
    domestic day-old stale leftover left-over cold cool warm lukewarm tepid hot very-hot
    boiling simmering ice-cold iced chilled frozen unfrozen room-temperature soft stiff tender crisp
    crispy crunchy crusty dry moist wet
    thick-skinned thin-skinned lean extra-lean fatty boneless skinless bone-in skin-on skinned
    boned deboned de-boned seedless pitless unpitted center-cut centre-cut unpeeled unshelled
    uncooked precooked pre-cooked unsifted undrained unbeaten unsalted salted salt-free no-salt
    low-salt lightly-salted low-sodium reduced-sodium sodium-reduced low-fat lowfat nonfat non-fat
    fat-free reduced-fat part-skim lite light low-calorie reduced-calorie sugar-free sugarless
    fat-reduced reduced low fat-skimmed free-range grass-fed wild-caught farm-raised unsweetened
    sweetened unflavored unflavoured flavored flavoured unbleached bleached enriched sifted
    unsulphured unsulfured undiluted diluted extra-virgin extravirgin virgin cold-pressed
    first-pressed fruity mild medium-hot tart tangy mellow young mature aged old new baby tiny
    bright dark-skinned skin-side untreated unwaxed unblemished perfect nice well-chilled
    well-drained well-beaten active fast-acting quick-rising rapid-rise fast-rising quick-rise
    bread-machine quick quick-cooking slow-cooking long-cooking short-cooking no-cook
    pre-made premade free old-fashioned
    regular-strength double-strength double-acting all-natural vine-ripened
    sun-ripened sweet-tasting assorted various different mixed-color colorful additional
    coarse medium-coarse fresh-ground fresh-squeezed freshly-ground freshly-squeezed
    fresh-grated freshly-grated fresh-cracked dairy gluten-free dairy-free vegan kosher-style
    large-curd small-curd style italian-style french-style mexican-style bulk loose heavy-duty
    basic ordinary unbaked prebaked condensed cooking extra-firm extra-sharp extra-large
    extra-thick extra-long super hard-type hulled unhulled
    bottled canned tinned jarred packaged boxed prepackaged refrigerated freeze-dried instant-type
    stick-type tub-style solid solid-pack water-packed oil-packed water-pack oil-pack
    granular superfine-type dark non-instant nondairy optional opt necessary cook-and-serve
    inexpensive cheap decent drinkable favorite-brand name-brand brand thawed thaw
    farm-fresh garden-fresh country-style home-style thick-style family-size family-sized
    desired preferred such-as strong weak unopened lukewarm-warm salt-packed in-shell
    in-the-shell large-flake small-flake fleshy meaty plump juicy dry-packed vine
    flat fat thinnest leftover-cooked possible needed well very really quite just only
    single double triple thirsty heirloom seasonal tightly
"""

_PREPARATIONS = """
    chopped minced diced sliced slivered julienned julienne cubed quartered halved shredded grated
    crushed ground crumbled mashed pureed puréed peeled pared cored seeded deseeded de-seeded
    stemmed trimmed cleaned washed rinsed scrubbed drained thawed defrosted melted softened beaten
    whisked whipped sifted packed toasted roasted grilled broiled fried sautéed sauteed browned
    caramelized blanched parboiled boiled hard-boiled hard-cooked soft-boiled hardboiled
    hardcooked poached steamed cooked baked
    smashed pounded flattened bruised scored butterflied split separated divided reserved
    shelled husked shucked deveined de-veined pitted stoned snipped torn broken cracked flaked
    squeezed juiced zested strained skimmed soaked reconstituted rehydrated plumped marinated
    mixed combined blended dissolved scalded heated warmed cooled chilled frozen dried dry
    sun-dried oven-dried air-dried
    prepared seasoned stuffed filled topped dusted coated buttered greased floured rolled unrolled
    folded shaped formed cut cut-up sectioned segmented crosswise lengthwise diagonally
    stewed rolled-out shaved curled pressed firmly-packed well-beaten well-drained thin-sliced
    thinly-sliced fine-chopped finely-chopped coarsely-chopped chopped-up crumbed pulverized
    pulverised powdered-fine processed punched removed discarded cut-into cubes-cut drizzled
    sprinkled tied trussed cracked-fresh rubbed peel-on halves choped chppd mincd slicd
    slced chpd chp chop mince slice-thin shred grate dice drain wash rinse crush beat
    sprouted unseeded lengthways crossways soften melt thinly-slivered shreds trim
    fileted filleted scaled gutted dressed disjointed jointed skewered spiralized riced hulled
    topped-and-tailed destemmed de-stemmed unwrapped opened crisp-cooked crisped
    crumbs-made cutup mushed dredged garnished chunked squished finely coarsely thickly
    bashed tailed toasty undercooked overcooked slliced choppd mined
"""

_STOPS = """
    for to at in with from such like including plus per if until till without on each see use using
    into over as which that this is are was were be been being preferably pref depending through
    under between by when while after before but not then so should may can't do don't have has
    makes make yields yield e.g i.e ie eg especially either-or than because since where you i we it
    they them these those note notes if-desired w w/ w/o wo cont'd continued taste garnish
    instead substitute substituted stuck equivalent purchased available bought found made left
    according
    against off out total both very-thin
    also recommended suggested needed preferred making serving-optional
    adjust accompaniment accompaniments frying greasing dusting rolling sprinkling-on
"""

# Parts thrown away or treated on their own: they describe what was done to the food.
NOTES = words_of("""
    skin skins bone bones core cores pit pits tails excess ends tops fat-trimmed membrane
    membranes size diameter thickness temperature room directions instructions page ingredients
    mixture times time desired liquid-reserved color colour appearance
    """)

ANDS = frozenset({"and", "or", "&", "/", "and/or", "plus", "n", "'n", "'n'", "+"})
BREAKS = frozenset({",", ";", ":", "--", "---", "–", "—", "*", "!", "?", "|", ".", "[", "]", "•"})

# A describing or measuring word that belongs to the name before these words.
KEEP_BEFORE: dict[str, frozenset[str]] = {
    word: words_of(names)
    for word, names in {
        "ground": "beef pork lamb turkey veal chicken chuck round sirloin meat sausage venison "
        "buffalo bison hamburger",
        "dried": "apricot apricots fruit fruits cranberry cranberries cherry cherries fig figs "
        "apple apples currant currants date dates prune prunes mushroom mushrooms bean beans "
        "pea peas beef peach peaches pear pears blueberries mango mangoes porcini shrimp",
        "sun-dried": "tomato tomatoes",
        "whipped": "cream topping",
        "dry": "mustard milk sherry vermouth",
        "hot": "sauce dog dogs pepper peppers fudge chocolate mustard sausage chili chile chilies "
        "cocoa red italian chilli",
        "mixed": "nuts vegetables fruit fruits herbs greens spice spices peel salad berries "
        "vegetable veggies",
        "light": "cream beer rum",
        "dark": "chocolate rum beer",
        "whole": "wheat milk grain",
        "unsweetened": "chocolate",
        "seasoned": "salt flour crumbs bread breadcrumbs pepper rice",
        "shredded": "wheat",
        "rolled": "oats",
        "cracked": "wheat",
        "split": "pea peas",
        "baked": "beans ham",
        "fried": "onion onions rice noodles",
        "stuffed": "olives olive",
        "pound": "cake",
        "cup": "cakes",
        "head": "cheese",
        "marinated": "artichoke artichokes",
        "old": "bay",
        "long": "grain grained",
        "short": "ribs rib",
        "thin": "spaghetti",
        "aged": "cheddar gouda",
        "baby": "back corn food",
        "string": "beans",
        "hard": "cider",
        "half": "half",
        "quick": "bread",
        "double": "cream",
        "triple": "sec",
        "single": "cream",
        "cool": "whip",
        "condensed": "milk",
        "frying": "chicken",
        "cooking": "oil spray apple apples wine sherry chocolate onions",
        "new": "potatoes potato mexico york england",
        "powdered": "sugar milk",
        "prepared": "horseradish mustard",
        "fat": "back",
        "flat": "iron",
        "spring": "onions",
        "plain": "flour",
        "strong": "flour",
        "round": "steak",
        "crispy": "rice",
        "link": "sausage sausages",
        "iced": "tea",
        "frozen": "yogurt custard",
    }.items()
}

# A measuring word that belongs to the name after these words.
KEEP_AFTER: dict[str, frozenset[str]] = {
    word: words_of(names)
    for word, names in {
        "leaf": "bay grape fig banana lime curry filo phyllo",
        "leaves": "bay grape fig banana lime curry ti taro",
        "stick": "cinnamon bread pretzel",
        "sticks": "cinnamon bread pretzel fish",
        "rib": "short back prime country-style spare beef pork",
        "ribs": "short back prime country-style spare beef pork",
        "roll": "egg dinner sandwich crescent kaiser hard sourdough",
        "rolls": "egg dinner sandwich crescent kaiser hard sourdough french",
        "rings": "onion",
        "bar": "candy chocolate",
        "bars": "candy chocolate",
        "rounds": "bread",
        "loaf": "meat",
        "sheets": "pastry phyllo filo lasagna lasagne nori puff",
        "sheet": "pastry phyllo filo lasagna lasagne nori puff",
        "links": "sausage",
        "fat": "bacon chicken beef duck pork goose",
        "substitute": "sugar egg milk salt butter",
    }.items()
}

BRANDS = words_of("""
    ® ™ © kraft philadelphia campbell's campbells pillsbury nestle nestlé hershey's hersheys
    mccormick swanson johnsonville knorr lipton betty crocker duncan hines hunt's hunts
    del-monte dole reynolds ghirardelli carnation kikkoman heinz hellmann's hellmanns mazola
    wesson progresso ortega sargento tyson smithfield smucker's jif keebler nabisco quaker
    kellogg's kelloggs planters mott's musselman's kitchenaid stouffer's stouffers
    delightfulls land-o-lakes baker's fleischmann's fleischmanns domino crystal
    breakstone's breakstone daisy sunkist success minute
    """) - {"crystal", "success", "minute", "daisy"}

# Names of parts of a dish: alone on a line, such a word is a heading.
HEADINGS = words_of("""
    crust filling topping toppings sauce dressing frosting icing glaze marinade garnish garnishes
    dough batter base stuffing seasoning streusel syrup salad cake pastry assembly ganache meringue
    soup meatballs gravy coating custard vinaigrette salsa rub spice pie shell bread filling/topping
    main decoration decorations relish pesto brine optional
    """)


def _kinds() -> dict[str, int]:
    kinds: dict[str, int] = {}
    for kind, words in (
        (NOTE, NOTES),
        (STOP, _STOPS.split()),
        (ADJECTIVE, _ADJECTIVES.split()),
        (PREPARATION, _PREPARATIONS.split()),
        (SIZE, _SIZES.split()),
        (NUMBER, NUMBERS),
        (AND, ANDS),
        (BREAK, BREAKS),
        (ADJECTIVE, BRANDS),
    ):
        kinds.update(dict.fromkeys(words, kind))
    for unit in UNITS:
        kinds.setdefault(unit, UNIT)
        if len(unit) > 2:
            kinds.setdefault(unit + "s", UNIT)
    kinds["of"] = OF
    kinds["leaves"] = kinds["halves"] = kinds["dashes"] = kinds["pinches"] = UNIT
    kinds["bunches"] = kinds["boxes"] = kinds["loaves"] = kinds["inches"] = UNIT
    kinds["boxes"] = kinds["glasses"] = kinds["touches"] = UNIT
    return kinds


KINDS = _kinds()
