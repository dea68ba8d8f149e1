"""Names that ask for a secret, and what to do instead of writing one into settings."""

from __future__ import annotations

from collections.abc import Iterable

from fanseek.config.options import SECRETS, Option

ENDINGS = ("apikey", "token", "password", "secret")


def is_secret(name: str, known: Iterable[Option]) -> bool:
    """Whether `name`, which is no setting's, asks for a secret."""
    return _bare(name).endswith(ENDINGS) or _owner(name, known) is not None


def advice(name: str, known: Iterable[Option]) -> str:
    """Where the key that was meant by `name` belongs."""
    owner = _owner(name, known)
    return stored(owner.default if owner else "")


def stored(variable: str) -> str:
    """How the key that is looked for under `variable` is stored."""
    return f"store it with `fanseek keys set {variable or 'NAME'}`, or put it into that environment variable"


def _owner(name: str, known: Iterable[Option]) -> Option | None:
    """The reference to the key that `name` means: `demoApiKey`, `demo_key` and `DEMO_API_KEY` mean the same."""
    bare = _bare(name)
    references = [option for option in known if option.is_reference]
    own = (one for one in references if bare in {one.backend + end for end in ("apikey", *SECRETS)})
    return next(own, None) or next((one for one in references if one.default and bare == _bare(one.default)), None)


def _bare(name: str) -> str:
    return name.lower().replace("_", "").replace(".", "")
