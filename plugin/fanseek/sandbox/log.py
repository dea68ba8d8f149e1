"""What the sandbox was asked: requests of each backend, counted and kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from fanseek.contract import Asked
from fanseek.http.secret_shapes import hidden

KEPT = 1000

SECRETIVE = ("auth", "cookie", "key", "token", "secret", "session")
"""Headers whose name holds one of these are shown without their value."""


class Requests:
    """The requests one backend has seen: all counted, the last ones kept."""

    def __init__(self) -> None:
        self.count = 0
        self.last: deque[Asked] = deque(maxlen=KEPT)

    def __iter__(self) -> Iterator[Asked]:
        return iter(tuple(self.last))

    def __len__(self) -> int:
        return self.count

    def add(self, asked: Asked) -> None:
        """Note one request."""
        self.count += 1
        self.last.append(asked)


class Log(Mapping[str, Requests]):
    """The requests of every backend, by its name; a backend never asked has an empty list."""

    def __init__(self, names: list[str]) -> None:
        self._names = names
        self._requests = {name: Requests() for name in names}

    def __getitem__(self, name: str) -> Requests:
        return self._requests[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def clear(self) -> None:
        """Forget everything."""
        self._requests = {name: Requests() for name in self._names}

    def told(self) -> dict[str, Any]:
        """The log for other processes: values of headers and parameters that may hold a secret are masked."""
        return {
            name: {
                "count": requests.count,
                "requests": [
                    {
                        "method": asked.method,
                        "target": hidden(asked.target),
                        "headers": {key: _shown(key, value) for key, value in asked.headers.items()},
                        "body": asked.body.decode("utf-8", errors="replace"),
                    }
                    for asked in requests
                ],
            }
            for name, requests in self._requests.items()
        }


def _shown(name: str, value: str) -> str:
    return "***" if any(word in name for word in SECRETIVE) else value
