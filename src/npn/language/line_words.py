"""What each word of an ingredient line does there: measure, describe, prepare, or end the name.

A word that is not listed is taken for food: a name loses only what we know to be none.
"""

from __future__ import annotations

from npn.language.written_numbers import FRACTIONS, UNITS


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN_SIZES = words_of("""
    small medium large sm md med lg lge lrg lrge jumbo big huge tiny giant medium-size medium-sized
    large-size large-sized small-size small-sized extra-large medium-large average-size good-size
    good-sized bite-size bite-sized inch-thick sized
    """)
FOOD, NUMBER, UNIT, SIZE, ADJECTIVE, PREPARATION, STOP, AND, OF, BREAK, NOTE = range(11)

NUMBERS = words_of("""
    one two three four five six seven eight nine ten eleven twelve fifteen sixteen twenty a an some
    any the another other either additional extra more less enough approx approximately about around
    up no # % ~ + = @
    """) | set(FRACTIONS)

SIZES = words_of("""
    small medium large sm md med lg lge lrg lrge jumbo big huge tiny giant regular average mini
    miniature petite full long short thick thin wide sized medium-size medium-sized large-size
    large-sized small-size small-sized extra-large medium-large regular-size average-size good-size
    good-sized bite-size bite-sized inch-thick one-inch two-inch thick-cut thin-cut thick-sliced
    """)

# What leaves the food the same in a cook's mind.
ADJECTIVES = words_of("""
    fresh ripe firm unripe overripe raw whole plain pure natural organic real genuine good best
    quality fine finest fancy favorite favourite your our my own homemade commercial deli bakery
    supermarket local imported domestic stale leftover cold cool warm lukewarm tepid hot boiling
    simmering iced soft stiff tender crisp crispy crunchy crusty dry moist wet lean fatty boneless
    skinless skinned boned deboned seedless uncooked undrained unsalted salted lowfat nonfat lite
    light reduced low unsweetened sweetened unflavored unflavoured flavored flavoured unbleached
    bleached enriched unsulphured unsulfured undiluted diluted extravirgin virgin fruity mild tart
    tangy mellow young mature aged old new baby bright perfect nice active quick assorted various
    different colorful coarse dairy vegan style bulk loose basic ordinary unbaked prebaked condensed
    cooking super unhulled bottled canned tinned jarred packaged boxed refrigerated solid granular
    dark optional opt necessary inexpensive cheap decent brand thawed desired preferred strong weak
    unopened fleshy meaty plump juicy vine flat fat possible needed well very really quite just only
    single double triple heirloom seasonal free premade storebought unpeeled unshelled precooked
    unsifted crustless unbeaten sugarless unfrozen sodium calorie no-salt-added salt-added
    firm-ripe good-quality high-quality top-quality best-quality home-made store-bought ready-made
    ready-to-use ready-to-eat ready-to-serve day-old left-over ice-cold room-temperature extra-lean
    bone-in skin-on de-boned center-cut centre-cut pre-cooked salt-free no-salt low-salt low-sodium
    reduced-sodium low-fat non-fat fat-free reduced-fat part-skim low-calorie reduced-calorie
    sugar-free free-range grass-fed wild-caught extra-virgin cold-pressed medium-hot well-chilled
    well-drained well-beaten fast-acting quick-rising rapid-rise fast-rising quick-rise
    bread-machine quick-cooking slow-cooking long-cooking old-fashioned double-acting all-natural
    vine-ripened fresh-ground fresh-squeezed freshly-ground freshly-squeezed fresh-grated
    freshly-grated gluten-free dairy-free large-curd small-curd italian-style french-style
    mexican-style heavy-duty extra-firm extra-sharp extra-thick freeze-dried solid-pack water-packed
    oil-packed water-pack oil-pack salt-packed country-style home-style family-size pre-made
    """)

PREPARATIONS = words_of("""
    chopped minced diced sliced slivered julienned julienne cubed quartered halved shredded grated
    crushed ground crumbled mashed pureed puréed peeled pared cored seeded deseeded stemmed trimmed
    cleaned washed rinsed scrubbed drained defrosted melted softened beaten whisked whipped sifted
    packed toasted roasted grilled broiled fried sautéed sauteed browned caramelized blanched
    parboiled boiled hardboiled hardcooked poached steamed cooked baked stewed smashed pounded
    flattened bruised scored butterflied split separated divided reserved shelled husked shucked
    deveined pitted stoned snipped torn broken cracked flaked squeezed juiced zested strained
    skimmed soaked reconstituted rehydrated plumped marinated mixed combined blended dissolved
    scalded heated warmed cooled chilled frozen dried prepared seasoned stuffed filled topped dusted
    coated buttered greased floured rolled unrolled folded shaped formed cut cutup sectioned
    segmented crosswise lengthwise lengthways diagonally shaved curled pressed pulverized processed
    punched removed discarded drizzled sprinkled tied trussed rubbed fileted filleted scaled gutted
    dressed disjointed jointed skewered riced hulled destemmed unwrapped opened crisped dredged
    garnished tailed picked tossed unseeded finely coarsely thickly overcooked undercooked
    chop mince shred grate dice drain wash rinse crush beat soften melt trim choped choppd chpd
    slliced slced
    de-seeded hard-boiled hard-cooked soft-boiled de-veined sun-dried oven-dried air-dried cut-up
    firmly-packed thin-sliced thinly-sliced finely-chopped coarsely-chopped de-stemmed crisp-cooked
    """)

# The name ends before these.
STOPS = words_of("""
    for to at in with from such like including plus per if until till without on each see use using
    into over as which that this is are was were be been being preferably pref depending through
    under between by when while after before but not then so should may can't do don't have has
    makes make yields yield e.g i.e ie eg especially than because since where you i we it they them
    these those note notes w wo cont'd continued taste garnish instead substitute substituted stuck
    equivalent purchased available bought found made left according against off out total both also
    recommended suggested making adjust serve serving servings accompaniment accompaniments frying
    greasing dusting rolling
    """)

# Parts thrown away or treated on their own: they describe what was done to the food.
NOTES = words_of("""
    skin skins bone bones core cores pit pits tails excess ends tops membrane membranes size
    diameter thickness temperature room directions instructions page ingredients mixture times time
    color colour
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
        "bouquet": "garni",
        "head": "cheese",
        "marinated": "artichoke artichokes",
        "old": "bay",
        "long": "grain grained",
        "short": "ribs rib",
        "thin": "spaghetti",
        "aged": "cheddar gouda",
        "baby": "back corn food",
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
        "plain": "flour",
        "strong": "flour",
        "crispy": "rice",
        "link": "sausage sausages",
        "iced": "tea",
        "leaf": "lettuce",
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
        "loaf": "meat",
        "sheets": "pastry phyllo filo lasagna lasagne nori puff",
        "sheet": "pastry phyllo filo lasagna lasagne nori puff",
        "links": "sausage",
        "tails": "ox lobster crawfish shrimp",
        "fat": "bacon chicken beef duck pork goose",
        "substitute": "sugar egg milk salt butter",
    }.items()
}

# Made of what follows "of": "juice of a lemon" is lemon juice.
MADE_OF = words_of("juice zest rind peel")
COLOURS = words_of("red green yellow orange white black brown golden purple blue")
# What a word before "and" or "or" can be short for.
KINDS_OF = {
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
INVERTED = words_of("""
    flour sugar cheese onion pepper oil vinegar rice bean milk cream tomato potato apple bread
    chicken beef pork lamb turkey fish mushroom lettuce cabbage squash nut olive juice wine broth
    stock soup sauce mustard butter chocolate seed chili chile pea noodle pasta cracker syrup salt
    bacon sausage ham steak water yogurt corn egg margarine shortening raisin crumb breadcrumb
    garlic ginger tofu lentil cherry pear peach pineapple berry ginger extract powder bouillon
    yeast cocoa coffee gelatin pickle macaroni spaghetti carrot celery spinach parsley basil
    """)
CUTS = words_of(
    "breast thigh wing leg chop loin shoulder yolk drumstick fillet meat roast steak chuck "
    "round sirloin brisket rib powder"
)
# After a comma and no amount, a name of its own: "salt, pepper".
STANDS_ALONE = words_of(
    "salt pepper paprika garlic butter sugar cinnamon nutmeg oregano basil thyme parsley cumin "
    "ginger lemon onion celery carrot egg flour milk water oil vinegar mayonnaise ketchup"
)

BRANDS = words_of("""
    ® ™ © kraft philadelphia campbell's campbells pillsbury nestle nestlé hershey's hersheys
    mccormick swanson johnsonville knorr lipton betty crocker duncan hines hunt's hunts
    del-monte dole reynolds ghirardelli carnation kikkoman heinz hellmann's hellmanns mazola
    wesson progresso ortega sargento tyson smithfield smucker's jif keebler nabisco quaker
    kellogg's kelloggs planters mott's musselman's kitchenaid stouffer's stouffers
    land-o-lakes baker's fleischmann's fleischmanns domino
    breakstone's breakstone sunkist
    """)

# A line that begins with one of these tells something else.
NOTE_STARTS = words_of("use note notes see available makes source shared posted typed by")

# Names of parts of a dish: alone on a line, such a word is a heading.
HEADINGS = words_of("""
    crust filling topping toppings sauce dressing frosting icing glaze marinade garnish garnishes
    dough batter base stuffing seasoning streusel syrup salad cake pastry assembly ganache meringue
    soup meatballs gravy coating custard vinaigrette salsa rub spice pie shell bread
    main decoration decorations relish pesto brine optional
    """)


KINDS: dict[str, int] = {
    word: kind
    for kind, words in (
        (UNIT, UNITS),
        (NOTE, NOTES),
        (STOP, STOPS),
        (ADJECTIVE, ADJECTIVES | BRANDS),
        (PREPARATION, PREPARATIONS),
        (SIZE, SIZES),
        (NUMBER, NUMBERS),
        (AND, ANDS),
        (BREAK, BREAKS),
        (OF, ("of", "added")),
    )
    for word in words
}
