"""Link the recipes of a running recipe manager: which step takes which ingredient.

`client` asks the server, `mealie` and `tandoor` know their data, `plan` says what would become of a
recipe, `journal` remembers what was there before, `library` goes through all recipes, and `undo`
puts them back."""
