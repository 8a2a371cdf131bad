"""schema.org: saved pages and JSON-LD."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from npn.errors import NpnError
from npn.formats import Found, read_file, read_text
from npn.formats.html_page import plain
from npn.formats.reading import Source
from npn.formats.schema_org import FORMAT
from npn.recipe import Recipe

SOUP: dict[str, object] = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Leek soup",
    "recipeIngredient": ["3 leeks, sliced", "1 l stock", "Salt and pepper"],
    "recipeInstructions": ["Soften the leeks. Add the stock.", "Simmer."],
}


def page(*scripts: object, body: str = "") -> str:
    written = "".join(
        f'<script type="application/ld+json">{json.dumps(script)}</script>' for script in scripts
    )
    return f"<!DOCTYPE html><html><head><title>Soups</title>{written}</head><body>{body}</body>"


def read(text: str, name: str = "soup.html") -> list[Recipe]:
    source = Source(name, text.encode(), text)
    assert FORMAT.sniff(source)
    return [item.recipe for item in FORMAT.read(source) if isinstance(item, Found)]


def of(ingredients: object = None, steps: object = None) -> Recipe:
    given = {"recipeIngredient": ingredients, "recipeInstructions": steps}
    return read_text(json.dumps(SOUP | {key: one for key, one in given.items() if one}))


def steps(instructions: object) -> tuple[str, ...]:
    return read_text(json.dumps({**SOUP, "recipeInstructions": instructions})).steps


def lines(ingredients: object) -> list[str]:
    recipe = read_text(json.dumps({**SOUP, "recipeIngredient": ingredients}))
    return [ingredient.text for ingredient in recipe.ingredients]


@pytest.mark.parametrize(
    "data",
    [
        SOUP,
        [SOUP],
        {"@context": "https://schema.org", "@graph": [{"@type": "WebSite"}, SOUP]},
        {"@type": "WebPage", "mainEntity": SOUP},
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": SOUP}]},
        {**SOUP, "@type": ["NewsArticle", "Recipe"]},
        {**SOUP, "@type": "http://schema.org/Recipe"},
    ],
)
def test_a_recipe_is_found_wherever_it_stands(data: object) -> None:
    wanted = Recipe.from_lists(
        "Leek soup",
        ["3 leeks, sliced", "1 l stock", "Salt and pepper"],
        ["Soften the leeks. Add the stock.", "Simmer."],
    )
    assert read(json.dumps(data), "soup.json") == [wanted]
    assert read(page({"@type": "BreadcrumbList"}, data)) == [wanted]


def test_what_is_no_step_in_a_file_of_ours_is_passed_over() -> None:
    ours = SOUP | {"sdPublisher": {"@type": "Organization", "name": "npn"}}
    steps = [3, None, "Boil.", {"@type": "HowToStep", "text": "Simmer."}, [{"text": "Stir."}]]
    assert read_text(json.dumps(ours | {"recipeInstructions": steps})).steps == ("Simmer.",)


def test_lists_are_never_split_merged_or_dropped() -> None:
    assert lines(["salt", "salt", "DILL", "Sauce", "flour\nor starch"]) == [
        *("salt", "salt", "DILL", "Sauce", "flour\nor starch"),
    ]
    assert steps(["1. Mix. Rest.", "Bake", "Bake", "Cool\nand eat."]) == (
        *("1. Mix. Rest.", "Bake", "Bake", "Cool\nand eat."),
    )


def test_ingredients_in_loose_forms() -> None:
    assert lines("2 eggs\n\n 1 onion ") == ["2 eggs", "1 onion"]
    assert lines("<ul><li>2 eggs</li><li>1 onion</li></ul>") == ["2 eggs", "1 onion"]
    assert lines([["2 eggs"], ["1 onion", None, ""]]) == ["2 eggs", "1 onion"]
    entry = {"@type": "PropertyValue", "value": 250, "unitText": "g", "name": "rice"}
    assert lines([entry, {"@type": "HowToSupply", "name": "thyme"}]) == ["250 g rice", "thyme"]


def test_ingredients_under_their_old_name() -> None:
    old = {**SOUP, "ingredients": ["4 pears"]}
    del old["recipeIngredient"]
    assert [i.text for i in read_text(json.dumps(old)).ingredients] == ["4 pears"]


def test_steps_and_sections() -> None:
    sections = [
        {
            "@type": "HowToSection",
            "name": "Dough",
            "itemListElement": [
                {"@type": "HowToStep", "name": "Mix", "text": "Mix flour and water. Rest."},
                {"@type": "HowToStep", "text": "Knead.", "url": "#2"},
            ],
        },
        {
            "@type": "HowToSection",
            "name": "Oven",
            "itemListElement": {"@type": "HowToStep", "text": "Bake."},
        },
        {"@type": "HowToStep", "name": "Let it cool."},
        "Slice.",
    ]
    wanted = ("Mix flour and water. Rest.", "Knead.", "Bake.", "Let it cool.", "Slice.")
    assert steps(sections) == wanted
    assert steps({"@type": "ItemList", "itemListElement": sections}) == wanted


def test_sections_of_steps() -> None:
    section = {
        "@type": "HowToSection",
        "name": "Dough:",
        "itemListElement": [{"@type": "HowToStep", "name": "Mix", "text": "Mix it."}, "Rest it."],
    }
    named = [
        {"@type": "HowToStep", "name": "Make the glaze", "text": "Stir sugar and water."},
        {"@type": "HowToStep", "name": "Step 3", "text": "Brush it on."},
        {
            "@type": "HowToStep",
            "name": "Bake the loaf for...",
            "text": "Bake the loaf for an hour.",
        },
    ]
    recipe = of(steps=["Heat the oven.", section, *named, "TO SERVE", "Slice."])
    assert list(zip(recipe.step_sections, recipe.steps, strict=True)) == [
        (None, "Heat the oven."),
        ("Dough", "Mix it."),
        ("Dough", "Rest it."),
        ("Make the glaze", "Stir sugar and water."),
        (None, "Brush it on."),
        (None, "Bake the loaf for an hour."),
        ("TO SERVE", "Slice."),
    ]


def test_headings_among_the_ingredients_are_their_sections() -> None:
    cake = ["Cake", "200 g flour", "For the icing:", "1 cup sugar", "Topping", "2 tbsp seeds"]
    assert [(one.section, one.text) for one in of(cake).ingredients] == [
        *(("Cake", "200 g flour"), ("For the icing", "1 cup sugar"), ("Topping", "2 tbsp seeds")),
    ]
    groups = [
        {"@type": "ItemList", "name": "Crust", "itemListElement": ["1 cup oats", "salt"]},
        {"@type": "ItemList", "name": "Top", "itemListElement": [{"name": "2 pears"}]},
    ]
    assert [(one.section, one.text) for one in of(groups).ingredients] == [
        *(("Crust", "1 cup oats"), ("Crust", "salt"), ("Top", "2 pears")),
    ]


def test_headings_alone_are_no_ingredients() -> None:
    with pytest.raises(NpnError, match="no ingredients"):
        of(["For the crust:", "For the icing:"])


CARDS = {
    "wprm": """<div class="wprm-recipe-ingredients-container">
      <div class="wprm-recipe-ingredient-group"><h4 class="wprm-recipe-group-name">Soup</h4>
      <ul><li class="wprm-recipe-ingredient"><span>3</span> <span>leeks</span>, sliced</li>
      <li>1 l stock</li></ul></div><div class="wprm-recipe-ingredient-group"><h4>To serve</h4>
      <ul><li>Salt and pepper</li></ul></div></div><h4>Notes</h4><ul><li>1 l stock</li></ul>""",
    "tasty": """<div class="tasty-recipes-ingredients"><h3>Ingredients</h3><p><strong>Soup</strong>
      </p><ul><li>3 <strong>leeks</strong>, sliced<li>1 l stock</ul><p><b>To serve:</b></p><ul>
      <li>Salt and pepper</li></ul></div>""",
}


@pytest.mark.parametrize("card", CARDS)
def test_the_cards_of_plug_ins_have_the_headings(card: str) -> None:
    (recipe,) = read(page(SOUP, body=CARDS[card]))
    assert [(one.section, one.text) for one in recipe.ingredients] == [
        ("Soup", "3 leeks, sliced"),
        ("Soup", "1 l stock"),
        ("To serve", "Salt and pepper"),
    ]


@pytest.mark.skipif(sys.version_info < (3, 11, 5), reason="soupsieve needs its regular expressions")
def test_a_site_that_recipe_scrapers_knows_is_read_by_it_first() -> None:
    section = {"@type": "HowToSection", "name": "Leeks", "itemListElement": ["Soften the leeks."]}
    soup = {**SOUP, "@context": "https://schema.org", "recipeInstructions": [section]}
    for address in (
        '<link rel="canonical" href="https://pinchofyum.com/soup">',
        '<meta property="og:url" content="https://www.pinchofyum.com/soup">',
    ):
        (recipe,) = read(page(soup, body=address + CARDS["tasty"]))
        assert [one.section for one in recipe.ingredients] == ["Soup", "Soup", "To serve"]
        assert recipe.steps == ("Soften the leeks.",)
        assert recipe.step_sections == ("Leeks",)


def test_the_directions_of_one_step_are_one_step() -> None:
    directions = [
        {"@type": "HowToDirection", "text": "Chop the leeks."},
        {"@type": "HowToTip", "text": "Wash them well."},
    ]
    assert steps([{"@type": "HowToStep", "itemListElement": directions}, "Boil."]) == (
        "Chop the leeks. Wash them well.",
        "Boil.",
    )


def test_instructions_in_one_string() -> None:
    assert steps("Chop.\n\nBoil the leeks. Stir.\n") == ("Chop.", "Boil the leeks. Stir.")
    assert steps("Chop the leeks. Boil them for 5 min. or more.") == (
        "Chop the leeks.",
        "Boil them for 5 min. or more.",
    )
    assert steps("1. Chop.\n2) Boil.") == ("Chop.", "Boil.")
    assert steps("<p>Chop.</p>\n<p>Boil<br>Serve</p>") == ("Chop.", "Boil", "Serve")


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("Salt &amp; pepper", "Salt & pepper"),
        ("&frac12; cup cr&egrave;me", "½ cup crème"),
        ("&amp;frac12; cup", "½ cup"),
        ("&lt;b&gt;Stir&lt;/b&gt; well", "Stir well"),
        ('Use a <a href="/pan?a>b">wide pan</a>.', "Use a wide pan."),
        ("<p>Stir\n   well.</p><p>Rest.</p>", "Stir well.\nRest."),
        ("Stir <b>well</b>.\nRest.", "Stir well.\nRest."),
        ("below <100 C and >5 C", "below <100 C and >5 C"),
        ("2  ripe pears", "2  ripe pears"),
        ("&#" + "9" * 5000 + ";", "&#" + "9" * 5000 + ";"),
        ("a <!-- hidden --> <b>c</b>", "a  c"),
    ],
)
def test_text_is_read_as_a_person_sees_it(written: str, seen: str) -> None:
    assert plain(written) == seen


def test_several_recipes_on_a_page_and_the_same_one_twice() -> None:
    cake = {**SOUP, "name": "Cake"}
    source = page(SOUP, [SOUP, cake], {"@type": "Recipe", "name": "only a link"})
    assert [recipe.title for recipe in read(source)] == ["Leek soup", "Cake"]


def test_of_several_in_json_each_bad_one_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text(json.dumps([{**SOUP, "recipeInstructions": None}, SOUP]))
    assert [(type(item).__name__, getattr(item, "where", "")) for item in read_file(str(path))] == [
        ("Problem", "recipe 1"),
        ("Found", "recipe 2"),
    ]


MICRODATA = """
<div itemscope itemtype="https://schema.org/Recipe">
  <h1 itemprop="name">Pear &amp; ginger jam</h1>
  <div itemprop="author" itemscope itemtype="https://schema.org/Person">
    <span itemprop="name">Ann</span></div>
  <meta itemprop="prepTime" content="PT1H">
  <ul><li itemprop="recipeIngredient">1 kg <b>pears</b>,
      peeled<li itemprop="recipeIngredient">sugar</ul>
  %s
</div>"""


def test_microdata_with_a_list_of_steps() -> None:
    body = MICRODATA % (
        '<ol><li itemprop="recipeInstructions">Chop. Boil.</li>'
        '<li itemprop="recipeInstructions">Fill into jars.</li></ol>'
    )
    assert read(page(body=body)) == [
        Recipe.from_lists(
            "Pear & ginger jam",
            ["1 kg pears, peeled", "sugar"],
            ["Chop. Boil.", "Fill into jars."],
        )
    ]


def test_microdata_with_one_block_of_steps() -> None:
    body = MICRODATA % '<div itemprop="recipeInstructions"><p>Chop.<p>Boil it.</div>'
    assert read(page(body=body))[0].steps == ("Chop.", "Boil it.")


def test_microdata_with_steps_as_items() -> None:
    step = (
        '<li itemprop="recipeInstructions" itemscope itemtype="http://schema.org/HowToStep">'
        '<span itemprop="text">%s</span></li>'
    )
    body = MICRODATA % (step % "Chop." + step % "Boil.")
    assert read(page(body=body))[0].steps == ("Chop.", "Boil.")


@pytest.mark.parametrize(
    "script",
    [
        "<!--\n%s\n-->",
        "//<![CDATA[\n%s\n//]]>",
        "<![CDATA[%s]]>",
        "%s;",
        "/* by a plug-in */\n%s",  # from here on: through recipe-scrapers
        "[%s,]",
    ],
)
def test_json_ld_that_is_not_quite_json(script: str) -> None:
    body = script % json.dumps(SOUP)
    page = f'<html><head><script type="application/ld+json">{body}</script></head>Soup</html>'
    (recipe,) = read(page)
    assert recipe.title == "Leek soup"
    assert recipe.steps == ("Soften the leeks. Add the stock.", "Simmer.")


def test_a_line_break_inside_a_string_is_forgiven() -> None:
    script = json.dumps({**SOUP, "name": "Leek soup"}).replace("Leek ", "Leek\n")
    page = f'<html><script type="application/ld+json">{script}</script></html>'
    assert read(page)[0].title == "Leek soup"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (page(body="<p>Welcome to my blog</p>"), "no recipe marked as such"),
        (page({**SOUP, "recipeInstructions": []}), "ingredients but no steps"),
        (page({**SOUP, "recipeIngredient": []}), "steps but no ingredients"),
    ],
)
def test_a_page_without_a_whole_recipe_says_so(text: str, reason: str) -> None:
    with pytest.raises(NpnError, match=reason):
        read(text)


@pytest.mark.skipif(sys.version_info < (3, 11, 5), reason="soupsieve needs its regular expressions")
def test_a_site_that_recipe_scrapers_knows_needs_no_marks() -> None:
    address = '<link rel="canonical" href="https://owen-han.com/toast">'
    body = """<h1 class="entry-title">Cheese toast</h1>
      <ul><li>2 slices of\n bread</li><li>Cheese</li></ul>
      <ol><li>Grate the cheese. </li><li>Toast.</li></ol>"""
    assert read(page(body=address + body)) == [
        Recipe.from_lists(
            "Cheese toast", ["2 slices of bread", "Cheese"], ["Grate the cheese.", "Toast."]
        )
    ]
    with pytest.raises(NpnError, match="no recipe marked"):
        read(page(body=body))


@pytest.mark.skipif(sys.version_info < (3, 11, 5), reason="soupsieve needs its regular expressions")
@pytest.mark.parametrize(
    "mark",
    [
        "<!-- saved from url=(0028)https://owen-han.com/toast -->",
        '<a href="https://owen-han.com/">Home</a><a href="https://example.org/">Friends</a>',
        '<img src="https://images.owen-han.com/toast.jpg">',
    ],
)
def test_a_site_shows_in_what_a_browser_saves_and_in_links(mark: str) -> None:
    body = """<h1 class="entry-title">Cheese toast</h1><ul><li>2 slices of bread</li></ul>
      <ol><li>Toast.</li></ol>"""
    (recipe,) = read(f"<html>{mark}{body}</html>")
    assert recipe == Recipe.from_lists("Cheese toast", ["2 slices of bread"], ["Toast."])


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("windows-1251", "Борщ"),
        ("Shift_JIS", "味噌汁"),
        ("iso-8859-2", "Żurek"),
        ("utf-8", "Crème"),
    ],
)
def test_a_page_is_read_in_the_encoding_it_declares(
    tmp_path: Path, charset: str, name: str
) -> None:
    script = json.dumps({**SOUP, "name": name}, ensure_ascii=False)
    text = (
        f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}">'
        f'<script type="application/ld+json">{script}</script></head></html>'
    )
    path = tmp_path / "page.html"
    path.write_bytes(text.encode(charset))
    assert [i.recipe.title for i in read_file(str(path)) if isinstance(i, Found)] == [name]


@pytest.mark.parametrize("charset", ["", "punycode", "windows-0", "gb\0", "hex", "utf-8"])
def test_an_odd_encoding_is_passed_over(charset: str) -> None:
    script = f'<script type="application/ld+json">{json.dumps(SOUP)}</script>'
    text = f"<html><meta charset={charset}>{script}"
    source = Source("a.html", text.encode() + b"\xff", text)
    (item,) = FORMAT.read(source)
    assert isinstance(item, Found)


def test_a_page_as_xml() -> None:
    xml = '<?xml version="1.0"?>\n' + page(SOUP)
    assert read(xml, "-")[0].title == "Leek soup"


def test_only_schema_org_is_sniffed() -> None:
    for text in ("", "Leek soup\n\n3 leeks", '{"title": "Soup"}', "<3 soup", '["Recipe"]', "{"):
        assert not FORMAT.sniff(Source("soup.txt", text.encode(), text))


def test_a_page_costs_neither_recipe_scrapers_nor_a_parser(tmp_path: Path) -> None:
    path = tmp_path / "soup.html"
    path.write_text(page(SOUP))
    code = (
        "import sys; from npn.formats import read_file; list(read_file(sys.argv[1]));"
        "print({'recipe_scrapers', 'bs4', 'lxml', 'zipfile'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


DATA = Path(os.environ.get("NPN_DATA", "")) / "formats" / "schema_org"
COUNTS = {
    "best-homemade-salsa-recipe.json": (11, 2),
    "blue-cheese-stuffed-turkey-meatballs-with-raspberry-balsamic-glaze-2.json": (11, 2),
    "bon-appetit.json": (21, 8),
    "carottes-rapps-with-rice-and-sunflower-seeds.html": "no recipe marked as such",
    "chunky-apple-cake.json": (12, 4),
    "dairy-free-impossible-pumpkin-pie.json": (10, 7),
    "detroit-style-pepperoni-pizza.html": (8, 5),
    "healthy-pasta-bake-60759.html": (13, 4),
    "how-to-make-instant-pot-spaghetti.json": (12, 8),
    "instant-pot-chicken-and-potatoes.json": (12, 4),
    "instant-pot-kerala-vegetable-stew.json": (18, 13),
    "jalapeno-popper-dip.json": (10, 4),
    "jam-roly-poly-with-custard.html": (11, 9),
    "mealie-recipe.html": "no recipe marked as such",
    "microwave-sweet-potatoes-04783.json": (19, 4),
    "moroccan-skirt-steak-with-roasted-pepper-couscous.json": (12, 4),
    "nutty-umami-noodles-with-scallion-brown-butter-and-snow-peas-recipe.html": (10, 6),
    "pizza-knoblauch-champignon-paprika-vegan-html.json": (13, 3),
    "schinken-kase-waffeln-ohne-viel-schnickschnack.html": (7, 1),
    "sous-vide-shrimp.html": "ingredients but no steps",
    "sous-vide-smoked-beef-ribs.html": (7, 12),
    "taiwanese-three-cup-chicken-san-bei-gi-recipe.html": (10, 3),
}


@pytest.mark.skipif(not DATA.is_dir(), reason="NPN_DATA names no folder with formats/schema_org")
def test_every_file_from_the_wild_is_listed() -> None:
    assert {path.name for path in DATA.iterdir()} == set(COUNTS)


@pytest.mark.skipif(not DATA.is_dir(), reason="NPN_DATA names no folder with formats/schema_org")
@pytest.mark.parametrize("name", COUNTS)
def test_files_from_the_wild(name: str) -> None:
    wanted = COUNTS[name]
    if isinstance(wanted, str):
        with pytest.raises(NpnError, match=wanted):
            list(read_file(str(DATA / name)))
    else:
        (item,) = read_file(str(DATA / name))
        assert isinstance(item, Found)
        assert (len(item.recipe.ingredients), len(item.recipe.steps)) == wanted
        assert item.recipe.title
