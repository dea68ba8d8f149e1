"""What the visits to one backend, and to all of them, amount to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fanseek.guard.health import BackendStatus
from fanseek.surface.doctor.candidates import Candidate
from fanseek.surface.doctor.report import Address, Checked, Finding, Probe, finding

ADVISED = ("auth", "quota", "rate-limit", "bad-request", "blocked", "server", "timeout", "network", "format", "late")


def checked(
    one: Candidate, addresses: tuple[Address, ...], condition: BackendStatus | None, unasked: tuple[Finding, ...]
) -> Checked:
    """One backend's entry; `unasked` says why it was not asked."""
    cooling = condition.cooling_until if condition else None
    answers = any(address.probe.answered for address in addresses) if addresses else None
    return Checked(
        name=one.backend.name,
        enabled=one.enabled,
        switch=one.switch.key,
        key=one.key,
        answers=answers,
        addresses=addresses,
        cooling_until=cooling,
        reason=condition.reason if condition and cooling else "",
        findings=(*one.findings, *unasked, *_of_addresses(one, addresses)),
    )


def _of_addresses(one: Candidate, addresses: Sequence[Address]) -> Iterator[Finding]:
    """Another way that works, and advice on each class of failure, once."""
    for address in addresses:
        if address.other and address.other.answered:
            yield _other_way(address.probe, address.other)
    answered = any(address.probe.answered for address in addresses)
    for status in dict.fromkeys(address.probe.status for address in addresses if not _settled(address)):
        if status in ADVISED and not answered:
            reference = one.key.reference if one.key else ""
            code = "advice.auth.keyless" if status == "auth" and not (one.key and one.key.keys) else f"advice.{status}"
            yield finding(code, "problem", reference=reference, get=one.key.get_key if one.key else "")


def _settled(address: Address) -> bool:
    return address.probe.answered or bool(address.other and address.other.answered)


def _other_way(failed: Probe, works: Probe) -> Finding:
    if works.way == "proxy":
        return finding("other.proxy", "problem", origin=works.origin, proxy=works.proxy)
    return finding("other.direct", "problem", origin=works.origin, proxy=failed.proxy)


def summary(backends: Sequence[Checked], *, offline: bool, stopped: bool) -> Finding:
    """All of it in one sentence."""
    asked = [one for one in backends if one.addresses]
    enabled = [one for one in backends if one.enabled]
    answering = [one for one in asked if one.answers]
    if not asked:
        code = "summary.offline" if offline else "summary.unasked" if enabled else "summary.disabled"
        return finding(code, "note" if enabled else "problem", enabled=len(enabled), all=len(backends))
    if stopped:
        return finding("summary.stopped", answering=len(answering), asked=len(asked))
    if answering:
        return finding(
            "summary.ok", "fine" if len(answering) == len(asked) else "note", answering=len(answering), asked=len(asked)
        )
    return _nobody(asked)


def _nobody(asked: Sequence[Checked]) -> Finding:
    addresses = [address for one in asked for address in one.addresses]
    others = [address.other for address in addresses if address.other and address.other.answered]
    proxies = Counter(probe.proxy for address in addresses for probe in (address.probe, address.other) if probe)
    proxy = next((name for name, _ in proxies.most_common() if name), "")
    if others:
        code = "summary.other.proxy" if others[0].way == "proxy" else "summary.other.direct"
        return finding(code, "problem", asked=len(asked), proxy=proxy)
    if all(map(cut_off, addresses)) and any(address.probe.status == "network" for address in addresses):
        both = any(address.other for address in addresses)
        code = "summary.unreachable.both" if both else "summary.unreachable.proxy" if proxy else "summary.unreachable"
        return finding(code, "problem", proxy=proxy)
    return finding("summary.none", "problem", asked=len(asked))


def cut_off(address: Address) -> bool:
    """Whether no connection came about by any way."""
    return all(probe.status in ("network", "timeout") for probe in (address.probe, address.other) if probe)
