"""Patterns: those that Java could try for ever are told from those that it cannot."""

from __future__ import annotations

import pytest

from tidegrid.pipeline import patterns


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a*)*b",
        "(?:a+)*b",
        "(?<word>\\w+)+$",
        "((a+)b?)+$",
        "(a|aa)+$",
        "(x|y){2,}z",
        "([a-z]+,?)*!",
        "(\\(+)+$",
        "(?i)(a+)+$",
        "(a)\\1",
        "(a{1,30}){1,30}$",
        "(a|aa){1,40}$",
        "(.*,){20}x",
        "(a?){30}a{30}",
        "(a{1,9})*b",
        "((a|b){5}c){5}",
        "a?" * 21 + "b",
        "((a{1,9}){1,999}){1,999999}",
    ],
)
def test_a_pattern_that_can_take_for_ever_is_told(pattern: str) -> None:
    assert "for ever" in patterns.problem(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "a+b*",
        "^([A-Z]{2})-(\\d+)$",
        "(foo|bar)",
        "(foo|bar)?x",
        "(ab)+",
        "[(+*|)]+",
        "\\(a+\\)+",
        "\\Q(a+)+\\E",
        "(?:a++)*b",
        "(a{2}){3}",
        "(\\d{1,3}\\.){3}\\d{1,3}",
        "^([^,]*,){3}([^,]*)",
        "^([^,]*+,){30}([^,]*)",
        "(\\w+)?-(\\d+)?",
        "a{5000}",
        "(?i)user=(\\w+)",
        "[[a]+b]*",
        "(?<year>\\d{4})-(?<month>\\d\\d)",
        "(unclosed",
        ")",
        "\\",
    ],
)
def test_an_ordinary_pattern_passes(pattern: str) -> None:
    assert patterns.problem(pattern) == ""
