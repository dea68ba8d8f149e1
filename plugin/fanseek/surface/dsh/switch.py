"""Off and on again: the harness's own search in place of ours, with everything kept for the way back."""

from __future__ import annotations

from fanseek.surface.dsh import files, manifest, receipt, rows
from fanseek.surface.dsh.profile import PROVIDER, ROW, WEB, Profile
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.removal import former


def off(profile: Profile) -> bool:
    """The bundle is not loaded any more, and no row of the person's names our provider; whether that changed anything.

    Raises Refusal and OSError.
    """
    held, own = manifest.read(profile.manifest), rows.read(profile.patch)
    text = own.text
    if (own.config(WEB) or {}).get("searchProvider") == PROVIDER:
        text = own.with_config(WEB, {"searchProvider": former(profile.patch, receipt.read(profile))})
    return _put(profile, held.switched_off(), text)


def on(profile: Profile) -> bool:
    """The bundle is loaded, its row not disabled, and it is selected; whether that changed anything.

    Raises Refusal, also where it is not installed, and OSError.
    """
    held, kept = manifest.read(profile.manifest), receipt.read(profile)
    source = held.dependency
    if source is None or not profile.bundle.is_dir():
        raise Refusal("not-installed", profile=profile.name)
    text = rows.read(profile.patch).enabled(ROW)
    own = rows.Rows(profile.patch, text.encode())
    config = own.config(WEB)
    if config is not None and config.get("searchProvider") != PROVIDER:
        fetch = config.get("fetchProvider") or (kept.fetch_provider if kept else None)
        text = own.with_config(WEB, {"searchProvider": PROVIDER, **({"fetchProvider": fetch} if fetch else {})})
    return _put(profile, held.with_bundle(source), text)


def _put(profile: Profile, listing: bytes, text: str) -> bool:
    wanted = {profile.manifest: listing, profile.patch: text.encode("utf-8")}
    held = {path: files.body(path) for path in wanted}
    different = {path: new for path, new in wanted.items() if new != (held[path] or b"")}
    with files.all_or_nothing(*wanted):
        for path, new in different.items():
            files.put(path, new)
        kept = receipt.read(profile)
        if kept is not None and different:
            for path in different:
                kept = kept.updated(path, held[path])
            receipt.write(profile, kept)
    return bool(different)
