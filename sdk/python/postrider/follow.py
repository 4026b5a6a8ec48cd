"""Follows events over Server-Sent Events, and comes back where it was when the connection breaks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import httpx

from .errors import PostriderError
from .gen.models import Event

SILENCE = 45.0  # seconds; of three comments, which come every 15 s
PAUSE = 1.0  # seconds
LONGEST_PAUSE = 60.0  # seconds


class FollowedEvent(NamedTuple):
    """An event, and the cursor behind it: keep that with what you did, and go on from there with ``after``."""

    event: Event
    cursor: str


def follow(http: httpx.Client, cursor: str | None, types: str | None) -> Iterator[FollowedEvent]:
    """Every event once, without end."""
    usual = http.timeout
    timeout = httpx.Timeout(connect=usual.connect, read=SILENCE, write=usual.write, pool=usual.pool)
    pause = PAUSE
    while True:
        params = {name: value for name, value in (("after", cursor), ("types", types)) if value is not None}
        try:
            with http.stream("GET", "/events/stream", params=params, timeout=timeout) as response:
                _require_success(response)
                for block in _blocks(response.iter_bytes()):
                    pause = PAUSE
                    cursor = block.get("id", cursor)
                    if "data" in block and cursor is not None:
                        yield FollowedEvent(Event.from_dict(json.loads(block["data"])), cursor)
        except httpx.TransportError:
            pass
        except PostriderError as error:
            if not error.is_temporary:
                raise
            pause = max(pause, error.retry_after or 0)
        time.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


def _blocks(chunks: Iterable[bytes]) -> Iterator[dict[str, str]]:
    """The stream as the API writes it: lines ``name: value``, and an empty line behind each block. A block that breaks off
    says nothing: its cursor without its event would skip that. Only LF ends a line; httpx's ``iter_lines`` would also end
    one at U+0085 and U+2028, which a value may hold."""
    rest = b""
    for chunk in chunks:
        *blocks, rest = (rest + chunk).split(b"\n\n")
        for block in blocks:
            yield {name: value for name, _, value in (line.partition(": ") for line in block.decode().split("\n"))}


def _require_success(response: httpx.Response) -> None:
    if not response.is_success:
        response.read()
        raise PostriderError(response)
