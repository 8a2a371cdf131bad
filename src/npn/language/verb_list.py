"""The verbs of the kitchen, in base form. `verbs.py` makes their forms."""

REGULAR_VERBS = frozenset(
    """
    absorb accompany accumulate achieve add adhere adjust age agitate air-fry allow alternate anoint
    appear apply arrange assemble attach avoid bake ball bang barbecue barbeque bard bash baste
    bathe batter behead blacken blanch blanket blast blend blind-bake blister blitz bloom blot boil
    bone bottle braai braid braise bread brew brine broil bronze brown bruise brulee brush bubble
    bundle bury butcher butter butterfly can candy cap caramelise caramelize carve center centre
    chafe change char charbroil chargrill check chill chip chop chunk churn clarify clean clear
    close clump coagulate coarsen coat coddle coil cold-smoke collapse collect color colour combine
    compact complete compress concentrate condense confit contain continue cook cool core correct
    cover crack cradle cram cream crease create crimp crinkle crisp crisscross crosshatch crowd
    crown crumb crumble crumple crunch crush crust crystallize cube curdle cure curl dab dampen
    dangle darken dash debeard debone decant decorate decrease deep-fry deepfry defat deflate
    defrost deglaze degrease dehusk dehydrate demold demould descale deseed destem detach devein
    develop devil dice dilute dip dirty discard dish disjoint dislodge dismember display dispose
    dissolve distil distill distribute disturb divide divvy dock dollop dot double double-boil douse
    drag drain drape dredge drench dress dribble drill drip drizzle drop drown dry dry-fry dry-roast
    dry-rub dry-toast dump dunk dust dye ease edge eliminate emboss empty emulsify encase encircle
    enclose enjoy enlarge ensure etch evaporate eviscerate expand expose extend extract face fan
    fasten ferment fetch fill fillet filter fine-tune finish firm fix fizz flake flambe flame flash
    flash-fry flatten flavor flavour flick flip float flood flop flour fluff flush flute foam fold
    follow force form fortify freshen frizzle frost froth fry fuse garnish gather gel gild glaze
    glide glisten glop glue grab granulate grasp grate gratinate grease grill grip guard gut halve
    hammer handle hard-boil hard-cook hardboil harden hash haul heap heat heave hoist hollow
    homogenize hook hot-smoke hull husk ice ignite immerse improvise include incorporate increase
    infuse inject insert inspect intensify interleave invert jell jiggle jostle juice julienne
    kindle knead knock knot label lace ladle lard layer leach leaven lengthen level lift lighten
    line linger liquefy liquidize liquify load look loop loosen lower lubricate macerate maintain
    marble marinade marinate mark mash mask massage measure mellow micro-cook microcook microwave
    mill mince mist mix moisten mold mop mould mound move muddle mull multiply narrow need nestle
    nick notch nudge nuke offer oil omit ooze open oven-bake oven-dry oven-fry oven-roast overbake
    overbrown overcook overfill overheat overlap overmix overprocess overwhip overwork pack package
    pad paint pan-broil pan-fry pan-roast pan-sear panbroil panfry par-bake par-boil par-cook
    parbake parboil parch parcook pare part pass paste pasteurize pat patch pause peel penetrate
    pepper perch perforate perfume pick pickle pierce pile pin pinch pipe pit place plait plan plank
    plate pleat plop pluck plug plump plunge poach poke polish pop portion position pot-roast pound
    pour powder pre-bake pre-boil pre-cook pre-heat pre-measure pre-soak prebake precook prefer
    preheat premix prepare preserve presoak press pressure-cook prevent prick prime proceed process
    prod proof prop protect prune puff pull pulp pulse pulverise pulverize pummel punch puncture
    purchase puree purge push quarter quench quick-fry rack raise rake re-cover re-roll re-season
    reach rearrange reassemble rebake reboil rechill recoat recombine reconstitute recook recover
    redden reduce refill refresh refrigerate reheat rehydrate rejoin reknead release remain remelt
    remember remix remoisten remove render repack repeat replace replenish reposition reroll reseal
    reserve reshape resift rest restir restore retain return reuse reverse rewarm rewet rewhisk
    rework rewrap ridge rim rinse rip ripen roast roll rotate roughen round rub ruffle salt sample
    sandwich saturate saute save savor savour scald scale scallop scatter scoop scoot scorch score
    scour scramble scrap scrape scratch scrub scrunch sculpt seal sear season secure seed select
    separate serrate serve settle sever shallow-fry shape sharpen shatter shell shift shimmy shingle
    shock shower shrivel shuck shuffle sieve sift simmer singe siphon sizzle skewer skim skin skip
    slacken slap slash slather slice slip sliver slow-cook slow-roast sluice slurp smack smash smear
    smoke smooth smother smush snap snip soak soft-boil soften solidify sop sort sour souse space
    spatchcock spatter spear spice spiral spit-roast splash splatter splay splinter sponge spoon
    spot spray sprinkle spritz sprout spruce square squash squeeze squelch squirt squish stab stack
    staple start stash steam steep stem sterilise sterilize stew stiffen stipple stir stir-cook
    stir-fry stirfry stitch stop store straddle straighten strain strap stream stretch strip stripe
    stud stuff submerge substitute suck sugar sun-dry support surround suspend swab swaddle swap
    swathe sweeten swirl swish switch syringe tamp tap taste temper tenderise tenderize tent test
    thaw thicken thin thread thump tie tighten tilt tint tip toast top toss touch toughen tousle
    trace transfer transport trap treat trickle trim triple truss try tuck tug tumble turn tweak
    twirl twist uncoil uncover undercook undermix unfold unfurl unhinge unmold unmould unpack unpeel
    unplug unroll unscrew unstack untangle untie unwrap use vacuum vaporize vary vent wait warm warp
    wash watch water wax wedge weigh whack whip whirl whisk whiten whittle whiz widen wiggle wilt
    winnow wipe work wrap wrinkle zap zest zip
    """.split()
)

# Base form: past, participle. Words parted by a slash are used side by side.
IRREGULAR_VERBS = {
    "beat": ("beat", "beaten/beat"),
    "become": ("became", "become"),
    "begin": ("began", "begun"),
    "bend": ("bent", "bent"),
    "bind": ("bound", "bound"),
    "bite": ("bit", "bitten"),
    "bleed": ("bled", "bled"),
    "blow": ("blew", "blown"),
    "break": ("broke", "broken"),
    "bring": ("brought", "brought"),
    "build": ("built", "built"),
    "burn": ("burned/burnt", "burned/burnt"),
    "burst": ("burst", "burst"),
    "buy": ("bought", "bought"),
    "cast": ("cast", "cast"),
    "catch": ("caught", "caught"),
    "choose": ("chose", "chosen"),
    "cling": ("clung", "clung"),
    "come": ("came", "come"),
    "cut": ("cut", "cut"),
    "dig": ("dug", "dug"),
    "do": ("did", "done"),
    "draw": ("drew", "drawn"),
    "drink": ("drank", "drunk"),
    "eat": ("ate", "eaten"),
    "fall": ("fell", "fallen"),
    "feed": ("fed", "fed"),
    "feel": ("felt", "felt"),
    "find": ("found", "found"),
    "fit": ("fitted/fit", "fitted/fit"),
    "freeze": ("froze", "frozen"),
    "get": ("got", "got/gotten"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "grind": ("ground", "ground"),
    "grow": ("grew", "grown"),
    "hang": ("hung/hanged", "hung/hanged"),
    "hide": ("hid", "hidden"),
    "hit": ("hit", "hit"),
    "hold": ("held", "held"),
    "keep": ("kept", "kept"),
    "knit": ("knitted/knit", "knitted/knit"),
    "lay": ("laid", "laid"),
    "lead": ("led", "led"),
    "leave": ("left", "left"),
    "let": ("let", "let"),
    "lie": ("lay", "lain"),
    "light": ("lit/lighted", "lit/lighted"),
    "lose": ("lost", "lost"),
    "make": ("made", "made"),
    "melt": ("melted", "melted/molten"),
    "prove": ("proved", "proved/proven"),
    "put": ("put", "put"),
    "rid": ("rid", "rid"),
    "ring": ("ringed/rang", "ringed/rung"),
    "rise": ("rose", "risen"),
    "run": ("ran", "run"),
    "saw": ("sawed", "sawn/sawed"),
    "see": ("saw", "seen"),
    "send": ("sent", "sent"),
    "set": ("set", "set"),
    "sew": ("sewed", "sewn/sewed"),
    "shake": ("shook", "shaken"),
    "shave": ("shaved", "shaved/shaven"),
    "shear": ("sheared", "shorn/sheared"),
    "shed": ("shed", "shed"),
    "shred": ("shredded", "shredded"),
    "shrink": ("shrank/shrunk", "shrunk/shrunken"),
    "shut": ("shut", "shut"),
    "sink": ("sank", "sunk/sunken"),
    "sit": ("sat", "sat"),
    "slide": ("slid", "slid"),
    "slit": ("slit", "slit"),
    "spill": ("spilled/spilt", "spilled/spilt"),
    "spin": ("spun", "spun"),
    "split": ("split", "split"),
    "spoil": ("spoiled/spoilt", "spoiled/spoilt"),
    "spread": ("spread", "spread"),
    "stand": ("stood", "stood"),
    "stick": ("stuck", "stuck"),
    "strew": ("strewed", "strewn/strewed"),
    "strike": ("struck", "struck/stricken"),
    "string": ("strung", "strung"),
    "sweat": ("sweated/sweat", "sweated/sweat"),
    "sweep": ("swept", "swept"),
    "swell": ("swelled", "swollen/swelled"),
    "take": ("took", "taken"),
    "tear": ("tore", "torn"),
    "throw": ("threw", "thrown"),
    "thrust": ("thrust", "thrust"),
    "weave": ("wove/weaved", "woven/weaved"),
    "wet": ("wetted/wet", "wetted/wet"),
    "wind": ("wound", "wound"),
    "withdraw": ("withdrew", "withdrawn"),
    "wring": ("wrung", "wrung"),
    # Of verbs with a prefix.
    "overbeat": ("overbeat", "overbeaten"),
    "precut": ("precut", "precut"),
    "refreeze": ("refroze", "refrozen"),
    "regrind": ("reground", "reground"),
    "reset": ("reset", "reset"),
    "unstick": ("unstuck", "unstuck"),
    "freeze-dry": ("freeze-dried", "freeze-dried"),
}

# What cooks also write, and the form they mean.
OTHER_SPELLINGS = {
    "refridgerate": "refrigerate",
    "refridgerated": "refrigerated",
    "sauted": "sauteed",
    "sautee": "saute",
    "sauting": "sauteing",
    "stiring": "stirring",
    "whizz": "whiz",
    "wisk": "whisk",
}
