"""The tables: Deephaven, from changelogs to live tables and the page. Only here is deephaven imported."""
