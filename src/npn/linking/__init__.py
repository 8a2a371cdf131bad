"""Link the recipes of a running recipe manager: which step takes which ingredient.

`manager` asks the server, `mealie` and `tandoor` know their data, `plan` says what would become of
a recipe, `journal` remembers what was there before, and `library` goes through all recipes, and
puts them back."""
