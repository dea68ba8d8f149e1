"""The English words of Fanseek in DeepSeek Harness."""

from __future__ import annotations

REFUSALS = {
    "dsh.bad-name": "{name} can't be the name of a profile",
    "dsh.no-profile": (
        "there is no profile {profile} in {home} (there are: {known}); start it once with `dsh --profile {profile}`, "
        "or name the harness's home with --dsh-home"
    ),
    "dsh.unreadable": "{file} can't be read: {message}; nothing was changed",
    "dsh.unwritten": "{file} can't be written: {message}; nothing was changed",
    "dsh.broken-json": (
        "{file} is not whole (line {line}: {message}); mend it or bring back a copy of it, nothing was changed"
    ),
    "dsh.broken-rows": (
        "{file}, line {line}: that is no list of rows such as `- id: web`; mend it by hand, nothing was changed"
    ),
    "dsh.no-bundles": "{file} has no list dsh.profile.bundles, so it is no profile; nothing was changed",
    "dsh.not-installed": "Fanseek is not in profile {profile}: fanseek dsh install --profile {profile}",
    "dsh.no-python": "{python} can't be started: {message}",
    "dsh.worker-ended": (
        "{python} -m fanseek worker ended without an answer: {message}; give a Python that has fanseek with --python"
    ),
    "dsh.worker-error": "the worker refuses: {message}",
    "dsh.worker-protocol": (
        "the fanseek of {python} speaks protocol {theirs}, not {ours}: install the same version there"
    ),
    "dsh.no-pnpm": "this profile's packages are kept by pnpm, and there is no pnpm on PATH; nothing was changed",
    "dsh.pnpm-failed": "pnpm {command} failed, nothing was changed: {message}",
    "dsh.no-harness": "{command} is no command that can be found",
    "dsh.harness-failed": "the harness can't load this profile: {message}",
    "dsh.locked": "another program is writing; if none is, remove {file}",
    "dsh.bad-key-name": "{name} can't be the name of a key: letters, digits and _ only",
}

DONE = {
    "dsh.installed": "Fanseek {version} is in profile {profile} of {home}, selected as its web search ({python}).",
    "dsh.upgraded": "Fanseek in profile {profile} is now {version} ({python}).",
    "dsh.restart": "A harness that runs takes it up when it is started again.",
    "dsh.copied-python": "This Python is a tool's own copy and may be swept away, so one was made to last: {python}",
    "dsh.off": "The harness's own search is used in profile {profile} again; `fanseek dsh on` brings Fanseek back.",
    "dsh.on": "Fanseek is the web search of profile {profile}.",
    "dsh.unchanged": "Nothing had to be changed.",
    "dsh.uninstalled": "Fanseek is out of profile {profile}.",
    "dsh.changed-since": "Others had changed {names} since; only what was Fanseek's was taken out.",
    "dsh.left": "Cache, history and log are still in {folder}; --purge removes them too.",
    "dsh.key-kept": "{name} is kept in {file}.",
    "dsh.key-gone": "{name} is not in {file} any more.",
    "dsh.key-blind": "Profile {profile} does not read that file: put the key into the environment it is started in.",
    "dsh.cleared": "The history is empty now.",
    "dsh.no-history": "No searches are kept.",
    "dsh.set": "{key} = {value}",
    "dsh.unset": "Every setting has its default.",
    "dsh.tested": "{backend}: {outcome}, {results} results in {ms} ms",
}

DOCTOR = {
    "dsh.doctor.absent": "it is not in this profile: fanseek dsh install --profile {profile}",
    "dsh.doctor.swept": (
        "the profile names Fanseek, but its package is gone (pnpm may have swept it out): "
        "fanseek dsh install --profile {profile}"
    ),
    "dsh.doctor.off": "it is switched off here: fanseek dsh on --profile {profile}",
    "dsh.doctor.outdated": (
        "the bundle is of version {theirs}, or of other backends than this fanseek {ours} has: "
        "fanseek dsh upgrade --profile {profile}"
    ),
    "dsh.doctor.installed": "Fanseek {version} is in profile {profile}",
    "dsh.doctor.no-harness": "the command dsh was not found, so only files were looked at; name it with --dsh",
    "dsh.doctor.harness": "the harness can't load this profile: {message}",
    "dsh.doctor.skipped": "the harness leaves the bundle out: {message}",
    "dsh.doctor.disabled": "its row is switched off in this profile: fanseek dsh on --profile {profile}",
    "dsh.doctor.selected": "it is selected as the web search",
    "dsh.doctor.deselected": (
        "{provider} is selected, so Fanseek is not asked (the switch of the harness's own web search does that): "
        "fanseek dsh on --profile {profile}"
    ),
    "dsh.doctor.worker": "{message}; then: fanseek dsh upgrade --profile {profile}",
    "dsh.doctor.other-version": "{python} has fanseek {theirs}, this is {ours}: install the same version there",
    "dsh.doctor.starts": "the worker starts (Python {version}, {python})",
    "dsh.doctor.unseen": (
        "{names}: stored in the harness's credentials, which profile {profile} does not read; put it into the "
        "environment the harness is started in"
    ),
    "dsh.doctor.key-file": (
        "{names}: in the key file of the command fanseek, which the harness does not read; store it for the harness "
        "with fanseek dsh key NAME --profile {profile}"
    ),
    "dsh.doctor.keys": "keys it is given: {names}",
    "dsh.doctor.hasty": (
        "the harness gives up after {host} ms, a search may take {own} ms: set deadlineMs to at most {limit}, or raise "
        "searchTimeoutMs of its row tool-web"
    ),
    "dsh.doctor.blank-page": (
        "the page of this build of the harness does not load, with or without Fanseek (a package is missing in it); "
        "settings are changed with fanseek dsh set KEY=VALUE --profile {profile}"
    ),
}

WORDS = {**REFUSALS, **DONE, **DOCTOR}
