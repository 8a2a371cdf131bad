"""Abbreviations in recipes, by what may follow them."""

# What they belong to, never a new sentence.
TITLES = frozenset(
    "abt approx dr elec fig jr lg lge med mr mrs ms mt prof sm st viz vol vs".split()
)

# A food or a new sentence; either may begin with a capital.
MEASURES = frozenset(
    """c cn ctn doz dz env fl g gal gals gm gms gr kg l lb lbs mg ml oz ozs pk pkg pkgs pkt pt pts
    qt qts sq t tablesp tb tbl tbls tblsp tbs tbsp tbsps teas ts tsp tsps""".split()
)

# The rest of the sentence, or a new one even without a capital ("Cook 5 min. add the peas").
TIMES = frozenset(["deg", "degs", "f", "hr", "hrs", "min", "mins", "sec", "secs"])

# The rest of the sentence, or a new one with a capital.
OTHERS = frozenset(
    """amt amts apr aug avg ca cal carb chol choc cm cont dec etc feb ft in incl ingr ingred ingreds
    jan jul jun mar max mm no nos nov oct opt orig p pc pcs pg pp prep ref refrig reg sep sept temp
    veg vegs""".split()
)

ABBREVIATIONS = TITLES | MEASURES | TIMES | OTHERS

# Abbreviations after a number, words or initials elsewhere.
AMBIGUOUS = frozenset(["c", "f", "g", "in", "l", "t"])
