"""The tables: Deephaven, from changelogs to the page. Only here is it imported."""
