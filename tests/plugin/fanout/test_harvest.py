"""What the answers of backends come to: what is left of them, and direct answers beside that."""

from __future__ import annotations

import pytest

from fanseek.contract import Parsed, Response
from scripted import answers, backend, body, stage


def saying(text: str, *citations: str):
    """A parser of answers that also say `text` and cite."""

    def parse(response: Response) -> Parsed:
        from scripted import parse as plain

        found = plain(response)
        return Parsed(hits=found.hits, answer=text, citations=citations, empty=found.empty)

    return parse


async def test_x29_answers_come_with_who_gave_them_and_what_they_rest_on():
    told = backend("told", parse=saying("Forty-two.", "https://a.test/", "https://nowhere.test/"))
    async with stage({"told": answers("https://a.test/", "https://b.test/"), "mute": answers()}, told) as on:
        (answer,) = (await on.search("q")).answers
    assert (answer.backend, answer.text, answer.citations) == ("told", "Forty-two.", ("https://a.test/",))


async def test_x29_the_answer_of_the_backend_that_ties_go_to_is_the_first():
    """Whoever is asked or answers first; none is lost."""
    told = [
        backend(name, parse=saying(name), priority=priority)
        for name, priority in (("a", 9), ("b", 3), ("c", 9), ("d", 5))
    ]
    for order in (told, told[::-1]):
        scripts = {each.name: answers("https://x.test/", after=each.priority / 10) for each in order}
        async with stage(scripts, *order) as on:
            found = [each.text for each in (await on.search("q")).answers]
        assert found[:2] == ["b", "d"]
        assert sorted(found[2:]) == ["a", "c"]


async def test_x29_only_what_was_said_to_the_query_itself_is_an_answer():
    async with stage({"told": answers("https://x.test/")}, backend("told", parse=saying("Said."))) as on:
        result = await on.search("sftp vs rsync", multi_query=True)
        assert on.upstreams.asked("told") == 3
    assert [each.text for each in result.answers] == ["Said."]


async def test_b11_an_answer_is_kept_when_nothing_was_found():
    async with stage({"told": answers()}, backend("told", parse=saying("Forty-two."))) as on:
        result = await on.search("q")
    assert (result.status, result.sources, result.outcomes[0].status) == ("ok", (), "empty")
    assert result.answers[0].text == "Forty-two."
    assert not result.notes


LISTED = (
    "https://python.org/",
    "https://www.Python.org/x",
    "https://docs.python.org/",
    "https://DOCS.python.org./y",
    "https://wiki.docs.python.org/",
    "https://evilpython.org/",
    "https://python.org.evil.test/",
    "https://python.test/python.org",
    "https://docs-python.org/",
)


@pytest.mark.parametrize(
    ("wishes", "kept"),
    [
        ({}, range(9)),
        ({"include_domains": ["Python.ORG"]}, range(5)),
        ({"site": "docs.python.org"}, range(2, 5)),
        ({"exclude_domains": ["PYTHON.org"]}, range(5, 9)),
        ({"include_domains": ["python.org"], "exclude_domains": ["docs.python.org"]}, range(2)),
        ({"include_domains": ["docs.python.org", "evil.test"], "exclude_domains": ["docs.python.org"]}, [6]),
        ({"include_domains": ["nowhere.test"]}, []),
    ],
    ids=repr,
)
async def test_g9_domains_are_filtered_after_the_merge_whatever_a_backend_does(wishes, kept):
    """True sub-domains in any spelling, exclude wins, and `filtered` counts the pages that were left out."""
    async with stage({"deaf": answers(*LISTED), "other": answers(*LISTED)}) as on:
        result = await on.search("q", max_results=20, **wishes)
    assert {source.url for source in result.sources} == {LISTED[number] for number in kept}
    assert result.filtered == len(LISTED) - len(kept)
    assert result.status == "ok"


async def test_g9_unwanted_domains_are_not_cited_and_the_text_is_left_alone():
    urls = ("https://a.test/", "https://sub.b.test/", "https://evilb.test/")

    async def script(_request):
        return body(*urls)

    async with stage({"told": script}, backend("told", parse=saying("As b.test says.", *urls))) as on:
        without = (await on.search("q", exclude_domains=["b.test"])).answers[0]
        only = (await on.search("q", include_domains=["b.test"])).answers[0]
    assert (without.text, without.citations) == ("As b.test says.", ("https://a.test/", "https://evilb.test/"))
    assert only.citations == ("https://sub.b.test/",)
