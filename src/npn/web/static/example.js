// A recipe of our own, to try the page with.

export const EXAMPLE = `Onion Soup with Toast

Serves 2

- 2 tablespoons butter, divided
- 3 onions, sliced
- 1 teaspoon sugar
- 1 tablespoon flour
- 3 cups stock
- 2 slices bread
- 1 cup grated cheese

1. Melt 1 tablespoon of the butter in a pot. Add the onions and the sugar and cook for 25 to 30 minutes until brown.
2. Stir in the flour and cook for 1 minute.
3. Pour in the stock and simmer for 20 minutes.
4. Meanwhile, spread the remaining butter on the bread and toast it in a skillet.
5. Ladle the soup into two bowls, put the toast on top and cover it with the cheese.
6. Grill for 3 minutes until the cheese bubbles.
`;
