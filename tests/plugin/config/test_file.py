"""The TOML file: what is read from it, and one sentence for everything that can be wrong with it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fanseek.config.file import settings_in
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError

Known = Mapping[str, AnyBackend]
Read = Callable[[str | bytes], dict[str, Any]]

CANARY = "sk-CANARY-5b1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


@pytest.fixture
def read(path: Path, known: Known) -> Read:
    def read(text: str | bytes) -> dict[str, Any]:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return {key: given.value for key, given in settings_in(path, known).items()}

    return read


@pytest.fixture
def fault(read: Read, path: Path) -> Callable[[str | bytes], str]:
    """What is said about a file, without its name, which is always said first."""

    def fault(text: str | bytes) -> str:
        with pytest.raises(ConfigError) as caught:
            read(text)
        said = str(caught.value)
        assert said.startswith(str(path)) or f" {path} " in said
        assert "\n" not in said
        assert "CANARY" not in said
        return said.removeprefix(str(path)).lstrip(", :")

    return fault


def test_the_flat_form_and_a_backend_s_table_say_the_same(read: Read) -> None:
    flat = 'numResults = 3\nenableDemo = "on"\ndemoBaseURL = "https://x.example"\ndemoApiKeyEnv = "OTHER"\n'
    nested = 'numResults = 3\n[demo]\nenabled = true\nbaseURL = "https://x.example"\nbase_model = 1\n'
    nested = nested.replace("base_model = 1", 'api_key_env = "OTHER"')
    dotted = 'numResults = 3\ndemo.enabled = "on"\ndemo.baseURL = "https://x.example"\ndemo.apiKeyEnv = "OTHER"\n'
    assert (
        read(flat)
        == read(nested)
        == read(dotted)
        == {
            "numResults": 3,
            "enableDemo": "on",
            "demoBaseURL": "https://x.example",
            "demoApiKeyEnv": "OTHER",
        }
    )


def test_every_kind_of_value_is_toml_s_own(read: Read) -> None:
    text = (
        'safeSearch = false\ndemoRatePerMinute = 2.5\nmetaBaseURLs = ["https://a.example"]\nrecency = "week"\n# rest\n'
    )
    assert read(text) == {
        "safeSearch": False,
        "demoRatePerMinute": 2.5,
        "metaBaseURLs": ["https://a.example"],
        "recency": "week",
    }


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "\ufeff", "\ufeffnumResults = 3\r\n", "numResults = 3", "[demo]\n", "\n\n[meta]\n\n"]
)
def test_empty_files_a_byte_order_mark_and_line_ends_are_no_fault(read: Read, text: str) -> None:
    assert read(text) in ({}, {"numResults": 3})


def test_each_value_knows_its_line(path: Path, known: Known) -> None:
    path.write_text('# one\nnumResults = 3\n\n[demo]\n"model" = "x"\n', encoding="utf-8")
    assert {key: given.source for key, given in settings_in(path, known).items()} == {
        "numResults": "line 2",
        "demoModel": "line 5",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nnumResults = 51", "line 2: numResults must be a whole number from 1 to 50, not 51"),
        ("numResults = '3'", "line 1: numResults must be a whole number from 1 to 50"),
        ("numResults = 3.5", "line 1: numResults must be a whole number from 1 to 50, not 3.5"),
        ("numResults = inf", "line 1: numResults must be a whole number from 1 to 50, not inf"),
        ("numResults = nan", "line 1: numResults must be a whole number from 1 to 50, not nan"),
        ("numResults = true", "line 1: numResults must be a whole number from 1 to 50, not true"),
        ("numResults = 1979-05-27", "line 1: numResults must be a whole number from 1 to 50, not a date or time"),
        ("numResults = 07:32:00", "line 1: numResults must be a whole number from 1 to 50, not a date or time"),
        ("numResults = {a = 1}", "line 1: numResults must be a whole number from 1 to 50, not a table"),
        ("[numResults]\na = 1", "line 1: numResults must be a whole number from 1 to 50, not a table"),
        ("numResults = []", "line 1: numResults must be a whole number from 1 to 50, not a list"),
        ("safeSearch = 'no'", "line 1: safeSearch must be true or false"),
        ("recency = 'hour'", "line 1: recency must be one of any, day, week, month, year"),
        ("demo.model = 3", "line 1: demoModel must be text, not 3"),
        ("[demo]\n\nenabled = 'perhaps'", "line 3: enableDemo must be one of auto, on, off, true, false"),
        ("[demo]\nsearchDepth = 4", "line 2: demoSearchDepth must be a whole number from 1 to 3, not 4"),
        ("demoBaseURL = 'nonsense'", "line 1: demoBaseURL must be a URL"),
    ],
)
def test_a_wrong_value_is_named_with_its_line_and_rule(fault: Callable[[str], str], text: str, said: str) -> None:
    assert fault(text).startswith(said)


@pytest.mark.parametrize("name", ["enabled", "enable", "enableDemo"])
def test_a_backend_s_setting_has_its_short_and_its_whole_name_in_a_table(read: Read, name: str) -> None:
    assert read(f'[demo]\n{name} = "off"\ndemoBaseURL = "https://x.example"') == {
        "enableDemo": "off",
        "demoBaseURL": "https://x.example",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("numResult = 3", "line 1: unknown setting numResult; the nearest one is numResults"),
        ("a = 1\nNUMRESULTS = 3", "line 1: unknown setting a"),
        ("[demo]\nbaseUrl = 'x'", "line 2: unknown setting demo.baseUrl; the nearest one is demoBaseURL"),
        ("[demos]\nbaseURL = 'x'", "line 1: unknown setting demos"),
        ("demo = 'on'", "line 1: demo is a backend and no setting; its switch is enableDemo"),
        ("[[demo]]\nmodel = 'x'", "demo is a backend and no setting; its switch is enableDemo"),
        ("[search]\nnumResults = 3", "line 1: unknown setting search"),
        ("'' = 1", "line 1: unknown setting (a name that is not repeated here)"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_one(fault: Callable[[str], str], text: str, said: str) -> None:
    """R10."""
    assert fault(text).startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        f'demoApiKey = "{CANARY}"',
        f'demo_api_key = "{CANARY}"',
        f'DEMO_API_KEY = "{CANARY}"',
        f'[demo]\nkey = "{CANARY}"',
        f'[demo]\napiKey = "{CANARY}"',
        f'demoApiKeyEnv = "{CANARY}"',
        f'[demo]\napiKeyEnv = "{CANARY}"',
    ],
)
def test_n11_a_key_in_the_file_is_refused_with_where_it_belongs(fault: Callable[[str], str], text: str) -> None:
    """N14 too; `fault` looks for the key in what is said."""
    assert "`fanseek keys set DEMO_API_KEY`" in fault(text)


@pytest.mark.parametrize(
    "text",
    [
        f'someToken = "{CANARY}"',
        f'"{CANARY}" = 1',
        f"{CANARY} = 1",
        "sk_live_CANARY1234567890 = 1",
        f'numResults = "{CANARY}"',
        f'recency = "{CANARY}"',
        f'demoBaseURL = "https://me:{CANARY}@x.example"',
        f'proxy = "http://me:{CANARY}@127.0.0.1:1"',
        f'demoBaseURL = "https://x.example/?api_key={CANARY}"',
        f'metaBaseURLs = ["https://x.example/", "https://x.example/?a=b&access-token={CANARY}"]',
        f"language = {CANARY}",
        f'language = "{CANARY}',
        f'x = {{"{CANARY}" = 1, "{CANARY}" = 2}}',
    ],
)
def test_n11_no_secret_is_ever_repeated(fault: Callable[[str], str], text: str) -> None:
    assert fault(text)


def test_a_password_of_a_proxy_is_pointed_to_its_variable(fault: Callable[[str], str]) -> None:
    assert "FANSEEK_PROXY" in fault(f'proxy = "http://me:{CANARY}@127.0.0.1:1"')


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("numResults = 3\nlanguage = en\n", 2),
        ("numResults 3", 1),
        ("\n\n= 3", 3),
        ("numResults = 3\nnumResults = 4", 2),
        ('language = "en', 1),
        ("[demo\nmodel = 'x'", 1),
        ("numResults = 3 4", 1),
        ("x = [", 1),
        ("{}", 1),
        ("\x00", 1),
        ("export NUM=3", 1),
        ('{"numResults": 3}', 1),
        ("numResults: 3", 1),
    ],
)
def test_what_is_no_toml_is_told_by_its_line(fault: Callable[[str], str], text: str, line: int) -> None:
    said = fault(text)
    assert said.startswith(f"line {line}: this is not TOML; settings are written as numResults = 5")


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 20_000, "x = " + "9" * 20_000, "a." * 15_000 + "b = 1", "x = " + "{a=" * 9000]
)
def test_hostile_nesting_is_only_a_sentence(fault: Callable[[str], str], text: str) -> None:
    assert fault(text)


def test_the_same_setting_in_both_forms_is_refused(fault: Callable[[str], str]) -> None:
    said = fault('demoModel = "a"\n[demo]\nmodel = "b"\n')
    assert said == "line 3: demoModel is set twice, also in line 1"


@pytest.mark.parametrize(
    "body", [b"\xff\xfen\x00u\x00", b"# ok\nlanguage = 'caf\xe9'", "language = 'de'".encode("utf-16"), b"\xed\xa0\x80"]
)
def test_another_encoding_is_told(fault: Callable[[bytes], str], body: bytes) -> None:
    assert fault(body).endswith("this is not UTF-8 text; save the file as UTF-8")


def test_a_file_far_too_large_is_not_read(fault: Callable[[str], str], read: Read) -> None:
    assert read("#" * 60_000) == {}
    assert fault("#" * 70_000) == "has more than 64 KB; a config file is much smaller"


def test_what_is_no_file_or_not_there_is_told(tmp_path: Path, known: Known) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for place, said in (
        (tmp_path, "is not a file"),
        (tmp_path / "absent.toml", "can't be read: No such file"),
        (loop, "can't be read: "),
        (tmp_path / ("x" * 300), "can't be read: "),
        (Path("nul\0byte"), "can't be read: it is no name of a file"),
    ):
        with pytest.raises(ConfigError, match=said):
            settings_in(place, known)


@pytest.mark.skipif(os.name != "posix", reason="pipes with a name are a thing of POSIX")
def test_a_pipe_that_nobody_writes_to_holds_nobody_up(tmp_path: Path, known: Known) -> None:
    os.mkfifo(tmp_path / "pipe")
    said: list[str] = []

    def read() -> None:
        with pytest.raises(ConfigError) as caught:
            settings_in(tmp_path / "pipe", known)
        said.append(str(caught.value))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(10)
    assert said == [f"{tmp_path / 'pipe'} is not a file"]


def test_the_null_device_is_an_empty_file(known: Known) -> None:
    assert settings_in(Path(os.devnull), known) == {}


def test_a_path_that_is_no_fit_sight_is_shown_clean(tmp_path: Path, known: Known) -> None:
    with pytest.raises(ConfigError) as caught:
        settings_in(tmp_path / "a\x1b[31m\nb\u202e.toml", known)
    assert str(caught.value).isprintable()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_settings_or_one_printable_sentence(path: Path, known: Known, body: bytes) -> None:
    path.write_bytes(body)
    try:
        outcome: object = settings_in(path, known)
    except ConfigError as problem:
        outcome = problem
    assert isinstance(outcome, dict) or str(outcome).isprintable()
