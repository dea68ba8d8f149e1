"""`fanseek dsh`: Fanseek in a profile of DeepSeek Harness: put in, switched, set, examined, taken out."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

from fanseek.catalogue import Lang, said
from fanseek.catalogue.language import Choice
from fanseek.cli import exits
from fanseek.cli.console import complain, write
from fanseek.cli.tongue import before_settings

if TYPE_CHECKING:
    from fanseek.surface.dsh.profile import Profile

Command = Callable[["Profile", argparse.Namespace], int]


def add(subparsers: Any) -> None:
    """The command and its parts."""
    text = "Fanseek as the web search of DeepSeek Harness. The harness's home is DSH_HOME, else .dsh in yours."
    parser = subparsers.add_parser("dsh", help="in DeepSeek Harness", description=text)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, words in (("install", "put it into a profile and select it"), ("upgrade", "bring it up to date there")):
        part = _part(parts, name, _placed, words)
        part.add_argument("--python", metavar="PATH", help="the Python to start, which has fanseek; else this one")
    _part(parts, "off", _off, "use the harness's own search again")
    _part(parts, "on", _on, "use Fanseek again")
    out = _part(parts, "uninstall", _uninstall, "take it out; what nobody else changed is as it was")
    out.add_argument("--purge", action="store_true", help="remove its cache, history and log too, for all profiles")
    doctor = _part(parts, "doctor", _doctor, "say what is wrong with it there, and what to do")
    doctor.add_argument("--dsh", metavar="PATH", help="the harness's command; else the one on PATH")
    doctor.add_argument("--no-page", action="store_true", help="do not try whether the harness's page loads")
    doctor.add_argument("--json", action="store_true", help="as JSON")
    change = _part(parts, "set", _set, "change settings there; without any, print them")
    change.add_argument("assignments", nargs="*", metavar="KEY=VALUE", help="as fanseek config show lists them")
    change.add_argument("--unset", action="append", default=[], metavar="KEY", help="back to its default; repeatable")
    key = _part(parts, "key", _key, "store a key for the harness, read from standard input")
    key.add_argument("name", metavar="NAME", help="the name a setting refers to, such as fanseek keys list shows")
    key.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    key.add_argument("--remove", action="store_true", help="take it out")
    shown = _part(parts, "status", _status, "how each backend stands there")
    test = _part(parts, "test", _test, "ask one backend as the harness would")
    test.add_argument("backend", metavar="BACKEND")
    test.add_argument("--query", metavar="TEXT", help="what is asked")
    past = _part(parts, "history", _history, "the last searches there")
    past.add_argument("--clear", action="store_true", help="forget them")
    for one in (shown, test, past):
        one.add_argument("--json", action="store_true", help="as JSON")


def _part(parts: Any, name: str, run: Command, text: str) -> argparse.ArgumentParser:
    part: argparse.ArgumentParser = parts.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    part.add_argument("--profile", required=True, metavar="NAME", help="the profile of the harness, such as web")
    part.add_argument("--dsh-home", metavar="DIR", help="the harness's home, in place of DSH_HOME")
    part.add_argument("--lang", choices=get_args(Choice), help="the language of messages; auto is the locale's")
    part.set_defaults(run=lambda arguments: _run(run, arguments), part=name)
    return part


def _run(command: Command, arguments: argparse.Namespace) -> int:
    """Raises UsageError."""
    from fanseek.surface.dsh.profile import home_of, profile
    from fanseek.surface.dsh.refusal import Refusal

    lang = before_settings(arguments.lang, os.environ, sys.stderr)
    try:
        return command(profile(arguments.profile, home_of(os.environ, arguments.dsh_home)), arguments)
    except Refusal as problem:
        complain(problem.words(lang))
        return exits.USAGE
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        complain(said(lang, "dsh.unwritten", file=problem.filename or arguments.profile, message=why))
        return exits.FAILURE


def _language(arguments: argparse.Namespace) -> Lang:
    return before_settings(arguments.lang, os.environ, sys.stdout)


def _placed(profile: Profile, arguments: argparse.Namespace) -> int:
    from fanseek.surface.dsh import placing

    lang = _language(arguments)
    done = placing.placed(profile, os.environ, python=arguments.python, upgrade=arguments.part == "upgrade")
    lines = [said(lang, "dsh.copied-python", python=done.python)] if done.copied else []
    if arguments.part == "upgrade":
        lines.append(said(lang, "dsh.upgraded", version=done.version, profile=profile.name, python=done.python))
    else:
        place = {"profile": profile.name, "home": profile.home}
        lines.append(said(lang, "dsh.installed", version=done.version, python=done.python, **place))
    return _lines([*lines, said(lang, "dsh.restart")])


def _off(profile: Profile, arguments: argparse.Namespace) -> int:
    from fanseek.surface.dsh import switch

    return _switched(switch.off(profile), said(_language(arguments), "dsh.off", profile=profile.name), arguments)


def _on(profile: Profile, arguments: argparse.Namespace) -> int:
    from fanseek.surface.dsh import switch

    return _switched(switch.on(profile), said(_language(arguments), "dsh.on", profile=profile.name), arguments)


def _switched(changed: bool, done: str, arguments: argparse.Namespace) -> int:
    lang = _language(arguments)
    return _lines([done, said(lang, "dsh.restart") if changed else said(lang, "dsh.unchanged")])


def _uninstall(profile: Profile, arguments: argparse.Namespace) -> int:
    from fanseek.catalogue import listed
    from fanseek.surface.dsh import removal

    lang = _language(arguments)
    changed = removal.uninstall(profile, purge=arguments.purge)
    lines = [said(lang, "dsh.uninstalled", profile=profile.name)]
    if changed:
        lines.append(said(lang, "dsh.changed-since", names=listed(lang, changed)))
    if profile.websearch.is_dir():
        lines.append(said(lang, "dsh.left", folder=profile.websearch))
    return _lines([*lines, said(lang, "dsh.restart")])


def _doctor(profile: Profile, arguments: argparse.Namespace) -> int:
    from fanseek.guard.key_file import KeyFile, usual
    from fanseek.surface.dsh import examination, harness

    case = examination.Case(
        profile=profile,
        environment=os.environ,
        key_file=KeyFile(usual(os.environ)),
        dsh=harness.command(arguments.dsh, os.environ),
        page=not arguments.no_page,
    )
    remarks = examination.examined(case)
    bad = any(one.level == "problem" for one in remarks)
    if arguments.json:
        import msgspec

        return _json({"ok": not bad, "findings": msgspec.to_builtins(remarks)}) or (exits.FAILURE if bad else exits.OK)
    marks = {"fine": "✓", "note": "-", "problem": "✗"}
    lang = _language(arguments)
    return _lines([f"{marks[one.level]} {one.words(lang)}" for one in remarks]) or (exits.FAILURE if bad else exits.OK)


def _set(profile: Profile, arguments: argparse.Namespace) -> int:
    """Raises ConfigError."""
    import json

    from fanseek.surface.dsh import settings

    lang = _language(arguments)
    now = settings.change(profile, arguments.assignments, arguments.unset)
    lines = [said(lang, "dsh.set", key=key, value=json.dumps(value, ensure_ascii=False)) for key, value in now.items()]
    return _lines(lines or [said(lang, "dsh.unset")])


def _key(profile: Profile, arguments: argparse.Namespace) -> int:
    """Raises UsageError."""
    from fanseek.cli.keys import NEVER_HERE, keys_typed
    from fanseek.config.rules import VARIABLE
    from fanseek.errors import UsageError
    from fanseek.surface.dsh import credential_entry, credentials
    from fanseek.surface.dsh.refusal import Refusal

    if arguments.rest:
        raise UsageError(NEVER_HERE)
    lang, name = _language(arguments), arguments.name
    if not VARIABLE.fullmatch(name):
        raise Refusal("bad-key-name", name="?")  # what was given may be the key itself
    key = None if arguments.remove else ",".join(keys_typed(said(lang, "keys.ask", name=name)))
    file = credential_entry.keep(profile.home, name, key)
    lines = [said(lang, "dsh.key-gone" if key is None else "dsh.key-kept", name=name, file=file)]
    if key is not None and not credentials.sees(profile):
        lines.append(said(lang, "dsh.key-blind", profile=profile.name))
    return _lines(lines)


def _status(profile: Profile, arguments: argparse.Namespace) -> int:
    found = _asked(profile, arguments, "status")
    if arguments.json:
        return _json(found)
    width = max((len(one["id"]) for one in found["backends"]), default=0)
    return _lines(
        [
            "  ".join(
                filter(None, [one["id"].ljust(width), one["state"], one.get("coolingUntil"), one.get("lastError")])
            )
            for one in found["backends"]
        ]
    )


def _test(profile: Profile, arguments: argparse.Namespace) -> int:
    own = {"backend": arguments.backend, **({"query": arguments.query} if arguments.query else {})}
    found = _asked(profile, arguments, "test", **own)
    code = exits.OK if found.get("ok") else exits.ALL_FAILED
    if arguments.json:
        return _json(found) or code
    told = {name: found.get(name, "-") for name in ("backend", "outcome", "results", "ms")}
    return _lines([said(_language(arguments), "dsh.tested", **told), *filter(None, [found.get("message")])]) or code


def _history(profile: Profile, arguments: argparse.Namespace) -> int:
    found = _asked(profile, arguments, "history/clear" if arguments.clear else "history")
    if arguments.json:
        return _json(found)
    lang = _language(arguments)
    if arguments.clear:
        return _lines([said(lang, "dsh.cleared")])
    import msgspec

    from fanseek.cache.history import HistoryEntry
    from fanseek.cli.history import line

    entries = msgspec.convert(found["entries"], list[HistoryEntry])
    return _lines([line(one, lang) for one in entries] or [said(lang, "dsh.no-history")])


def _asked(profile: Profile, arguments: argparse.Namespace, method: str, **own: Any) -> dict[str, Any]:
    from fanseek.surface.dsh import settings

    found: dict[str, Any] = settings.asked(profile, method, os.environ, _language(arguments), **own)
    return found


def _lines(lines: list[str]) -> int:
    from fanseek.text.clean import plain

    return write("".join(f"{plain(line)}\n" for line in lines))


def _json(whole: dict[str, Any]) -> int:
    import json

    return write(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
