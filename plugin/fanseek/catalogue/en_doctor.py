"""The doctor's English words, by code."""

from __future__ import annotations

SURROUNDINGS = {
    "doctor.versions": "Fanseek {fanseek}, Python {python}, {system}",
    "doctor.packages": "packages: {packages}",
    "doctor.extra": "extra {extra}: {packages}",
    "doctor.extra.part": "extra {extra}: {packages}; {missing} is missing",
    "doctor.extras.absent": "extras that are not installed: {extras}",
    "doctor.config.file": "config file: {path}",
    "doctor.config.none": "config file: none (it would be {path})",
    "doctor.config.open": "others than its owner can change {path}; run: chmod go-w {path}",
    "doctor.keys.file": "key file: {path} ({number} names)",
    "doctor.keys.none": "key file: none (it would be {path})",
    "doctor.keys.broken": "{message}",
    "doctor.folder.cache": "cache: {path} can be written",
    "doctor.folder.cache.unwritable": (
        "cache: {path} can't be written ({message}); searches work, none is answered from disk"
    ),
    "doctor.folder.state": "state and history: {path} can be written",
    "doctor.folder.state.unwritable": (
        "state and history: {path} can't be written ({message}); searches work, but forget which backend failed"
    ),
    "doctor.disk.slow": "the disk did not answer within {seconds} s; files and folders were not looked at",
    "doctor.proxy.used": "proxy: {proxy} (from {source})",
    "doctor.proxy.none": "proxy: none, backends are reached directly",
    "doctor.proxy.unused": "the proxy {proxy} (from {source}) is not used: the setting proxy says otherwise",
    "doctor.proxy.broken": "{message}",
    "doctor.deadline.harness": (
        "the harness ends a search after {seconds} s and deadlineMs is {ms}: set it lower, to get what is there"
    ),
    "doctor.clock.past": "this machine's clock says {today}, which is before this program was made: set it",
    "doctor.clock.ahead": (
        "this machine's clock is {minutes} minutes ahead of the services': set it, certificates and dates depend on it"
    ),
    "doctor.clock.behind": (
        "this machine's clock is {minutes} minutes behind the services': set it, certificates and dates depend on it"
    ),
    "doctor.idle.unknown": "{message}",
    "doctor.idle.outranked": "{key} of {place} has no effect: {winner} outranks it",
    "doctor.idle.switched-off": "{key} has no effect while {switch} is off",
    "doctor.idle.backend": "{key} has no effect: {backend} is not asked",
}

BACKENDS = {
    "doctor.off.setting": "off: {key} is off ({place})",
    "doctor.off.key": "off: no key under {reference} (get one: {get})",
    "doctor.off.key.unsaid": "off: no key under {reference}",
    "doctor.off.reference": "off: it needs a key, and no setting names the variable that holds it",
    "doctor.off.costs": "off: each search costs tokens, so it is asked only when {key} is on",
    "doctor.unasked.costs": "not asked: each search costs tokens; --spend asks it",
    "doctor.unasked.resting": (
        "not asked: asking again at once makes it worse; --backends {backend} asks it all the same"
    ),
    "doctor.unasked": "enabled, not asked",
    "doctor.key.unusable": "a key is not used: {message}",
    "doctor.key.stranger": "{name} is set, but that name is not read: {reference} is",
    "doctor.other.direct": (
        "{origin} answers direct, not by proxy {proxy}: set proxy to direct (FANSEEK_PROXY=direct), or list its host "
        "in NO_PROXY"
    ),
    "doctor.other.proxy": (
        "{origin} answers by proxy {proxy}, not direct: set proxy to auto or to that address (FANSEEK_PROXY)"
    ),
    "doctor.advice.auth": "its key was refused: put a good one under {reference} (fanseek keys set {reference}; {get})",
    "doctor.advice.auth.keyless": "it does not let this machine in: a key may help, or another address of it",
    "doctor.advice.quota": "what the plan allows is used up: wait until it is renewed, or use another key",
    "doctor.advice.rate-limit": "it was asked too often: wait; searches leave it alone for as long by themselves",
    "doctor.advice.bad-request": "it does not understand the question: look at its settings (address, model)",
    "doctor.advice.blocked": "it takes this machine for a robot: wait, ask less often, or use another network or proxy",
    "doctor.advice.server": "the trouble is on its side: try later",
    "doctor.advice.timeout": "it is slow, or something on the way holds the connection: try later, or by a proxy",
    "doctor.advice.network": "no connection to it: look at the network, its name service and the proxy",
    "doctor.advice.format": "something else answered, such as a portal's or a proxy's page, or its format has changed",
    "doctor.advice.late": "there was no time left for it: raise deadlineMs",
}

LINES = {
    "doctor.title.around": "Surroundings",
    "doctor.title.backends": "Backends",
    "doctor.title.advice": "What to do",
    "doctor.ms": "{ms} ms",
    "doctor.way.direct": "direct",
    "doctor.way.proxy": "by proxy {proxy}",
    "doctor.key": "key {reference} ({place})",
    "doctor.key.optional": "no key needed ({reference} may hold one)",
    "doctor.addresses": "{answering} of {all} addresses answer",
    "doctor.resting": "searches leave it alone until {time} ({kind})",
    "doctor.cut-off": "no connection; such as {message}",
    "doctor.store-key": "store a key with fanseek keys set NAME, or put it into the variable of that name",
}
"""Parts of the page for a person."""

SUMMARIES = {
    "doctor.summary.ok": "{answering} of {asked} backends that were asked answer.",
    "doctor.summary.none": "None of the {asked} backends that were asked answers.",
    "doctor.summary.unreachable": (
        "No backend can be reached: the network is down, or a firewall cuts connections; if this network needs a "
        "proxy, set it (HTTPS_PROXY, or the setting proxy)."
    ),
    "doctor.summary.unreachable.proxy": "No backend can be reached by proxy {proxy}: it is down or refuses.",
    "doctor.summary.unreachable.both": (
        "No backend can be reached, neither direct nor by proxy {proxy}: the network is down, or a firewall cuts "
        "connections."
    ),
    "doctor.summary.other.direct": (
        "None of the {asked} backends answers by proxy {proxy}; direct they do: set proxy to direct "
        "(FANSEEK_PROXY=direct)."
    ),
    "doctor.summary.other.proxy": (
        "None of the {asked} backends answers direct; by proxy {proxy} they do: set proxy to auto or to that address "
        "(FANSEEK_PROXY)."
    ),
    "doctor.summary.disabled": "No backend is enabled: turn one on, or give one its key.",
    "doctor.summary.offline": "{enabled} of {all} backends are enabled; none was asked (--offline).",
    "doctor.summary.unasked": "{enabled} of {all} backends are enabled; none was asked, for the reasons given.",
    "doctor.summary.stopped": "Stopped: {answering} of {asked} backends had answered.",
    "doctor.summary.broken": "The settings can't be read, so no search is possible: {message}",
}

WORDS = {**SURROUNDINGS, **BACKENDS, **LINES, **SUMMARIES}
