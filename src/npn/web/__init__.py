"""`npn serve`: the server and its page.

A request goes through `door` (is it from here?), `app` (which answer is wanted?) and
`worker_pool` (who is free?) to `worker`, a process of its own, where `jobs` reads the recipe and
answers. The page is plain files in `static/`."""
