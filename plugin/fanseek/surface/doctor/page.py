"""The report as a page for a person, in lines that fit a terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from fanseek.catalogue import Lang, listed, said
from fanseek.catalogue.account import short
from fanseek.surface.doctor.report import Address, Checked, Finding, Probe, Report
from fanseek.surface.doctor.verdicts import cut_off
from fanseek.text.clean import plain
from fanseek.text.columns import padded, width, wrapped

GAP = 2
ANSWERS, FAILS, UNASKED, MIND = "✓", "✗", "-", "!"
NEED_A_KEY = frozenset({"off.key", "off.key.unsaid", "off.reference"})


def page(report: Report, lang: Lang, columns: int | None = None) -> str:
    """The report in `lang`, wrapped to `columns`; not at all without."""
    return "\n".join(_Page(report, lang, columns).lines()) + "\n"


class _Page:
    def __init__(self, report: Report, lang: Lang, columns: int | None) -> None:
        self._report = report
        self._lang: Lang = lang
        self._columns = columns

    def lines(self) -> Iterator[str]:
        if self._report.synthetic:
            yield from self._wrapped(f"[{self._say('made-up')}]", 0)
            yield ""
        yield self._say("doctor.title.around")
        for finding in self._report.surroundings:
            yield from self._finding(finding)
        if self._report.backends:
            yield ""
            yield self._say("doctor.title.backends")
            yield from self._backends()
        if advice := list(self._advice()):
            yield ""
            yield self._say("doctor.title.advice")
            yield from advice
        yield ""
        yield from self._wrapped(self._report.summary.words(self._lang), 0)

    def _finding(self, finding: Finding) -> Iterator[str]:
        sign = MIND if finding.level == "problem" else " "
        yield from self._wrapped(f"{sign} {finding.words(self._lang)}", GAP)

    def _backends(self) -> Iterator[str]:
        backends = self._report.backends
        cut = [one for one in backends if one.addresses and all(map(cut_off, one.addresses))]
        grouped = cut if len(cut) > 1 else []
        room = max((width(one.name) for one in backends if one not in grouped), default=0)
        for one in backends:
            if one not in grouped:
                yield from self._backend(one, room)
        if grouped:
            names = listed(self._lang, (one.name for one in grouped))
            example = next(address.probe for one in grouped for address in one.addresses)
            message = self._say("doctor.cut-off", message=short(example.message))
            yield from self._wrapped(f"{FAILS} {names}  {message}", GAP)

    def _backend(self, one: Checked, room: int) -> Iterator[str]:
        sign = UNASKED if one.answers is None else ANSWERS if one.answers else FAILS
        hang = GAP + room + GAP
        first, *others = self._of(one)
        yield from self._wrapped(f"{sign} {padded(plain(one.name), room)}  {first}", hang)
        for line in others:
            yield from self._wrapped(" " * hang + line, hang + GAP)

    def _of(self, one: Checked) -> Iterator[str]:
        """What is said of one backend: first how it answered, or why it was not asked."""
        why = [finding.words(self._lang) for finding in one.findings if not _is_advice(finding)]
        if not one.addresses:
            first, *why = why or [self._say("doctor.unasked")]
            yield self._joined(first, self._key(one) if one.enabled else "")
        elif len(one.addresses) == 1:
            yield self._joined(self._probe(one.addresses[0].probe), self._key(one))
        else:
            answering = sum(address.probe.answered for address in one.addresses)
            yield self._joined(
                self._say("doctor.addresses", answering=answering, all=len(one.addresses)), self._key(one)
            )
            yield from (self._address(address) for address in one.addresses)
        yield from why
        if one.cooling_until:
            time = f"{one.cooling_until.astimezone():%H:%M:%S}"
            yield self._say("doctor.resting", time=time, kind=self._say(f"status.{one.reason}"))

    def _address(self, address: Address) -> str:
        sign = ANSWERS if address.probe.answered else FAILS
        return f"{sign} {plain(address.probe.origin)}  {self._probe(address.probe)}"

    def _probe(self, probe: Probe) -> str:
        spent = self._say("doctor.ms", ms=round(probe.ms))
        way = self._say(f"doctor.way.{probe.way}", proxy=plain(probe.proxy))
        if probe.answered:
            return self._joined(spent, way)
        kind = self._say(f"status.{probe.status}")
        what = self._say("remark", backend=kind, message=short(probe.message)) if probe.message else kind
        return self._joined(what, spent, way)

    def _key(self, one: Checked) -> str:
        if not one.key:
            return ""
        if not one.key.place:
            return self._say("doctor.key.optional", reference=one.key.reference) if one.key.reference else ""
        return self._say("doctor.key", reference=one.key.reference, place=self._say(f"keys.place.{one.key.place}"))

    def _advice(self) -> Iterator[str]:
        """Each piece of advice once, behind the names of those it is for."""
        names: dict[str, list[str]] = defaultdict(list)
        for one in self._report.backends:
            for finding in filter(_is_advice, one.findings):
                names[finding.words(self._lang)].append(one.name)
        if not self._connections_fail():
            for words, owners in names.items():
                line = self._say("remark", backend=listed(self._lang, owners), message=words)
                yield from self._wrapped(f"  {line}", GAP + GAP)
        if any(finding.code in NEED_A_KEY for one in self._report.backends for finding in one.findings):
            yield from self._wrapped(f"  {self._say('doctor.store-key')}", GAP + GAP)

    def _connections_fail(self) -> bool:
        """Whether the summary has said all there is to say: no backend can be reached."""
        return self._report.summary.code.startswith("summary.unreachable")

    def _joined(self, *parts: str) -> str:
        return " · ".join(filter(None, parts))

    def _say(self, code: str, **fields: object) -> str:
        return said(self._lang, code, **fields)

    def _wrapped(self, line: str, hang: int) -> Sequence[str]:
        return [line] if self._columns is None else wrapped(line, self._columns, hang=hang)


def _is_advice(finding: Finding) -> bool:
    return finding.code.startswith("advice.")
