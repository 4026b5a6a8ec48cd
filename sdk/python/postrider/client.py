"""The client: a method for each operation of the API, with retries.

Repeating is safe for every request: a POST carries the same Idempotency-Key each time, and the other methods have the
same effect twice as once.
"""

from __future__ import annotations

import os
import random
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Self

import httpx

from .errors import PostriderError
from .follow import FollowedEvent, follow
from .gen.models import EventType
from .gen.operations import VERSION, Operations

FIRST_DELAY = 0.5  # seconds
MAX_DELAY = 61.0  # seconds; the most that the rate limit asks for, and who is told to wait longer is told at once


class Postrider(Operations):
    """A client of one tenant. It keeps connections open: one for the whole program, shared by its threads, is best."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 4,
    ) -> None:
        """Args:
        api_key: ``sk_live_…``; by default the environment's POSTRIDER_API_KEY.
        base_url: ends in ``/api/v1``; by default the environment's POSTRIDER_BASE_URL.
        timeout: seconds of silence after which one attempt is given up.
        max_retries: requests after the first one.
        """
        self._max_retries = max_retries
        self._http = httpx.Client(
            base_url=_setting(base_url, "base_url", "POSTRIDER_BASE_URL"),
            headers={
                "Authorization": f"Bearer {_setting(api_key, 'api_key', 'POSTRIDER_API_KEY')}",
                "User-Agent": f"postrider-python/{VERSION}",
            },
            timeout=timeout,
        )

    def request(self, method: str, url: str, **kwargs: Any) -> httpx.Response:
        """Sends until there is an answer that is final, or no retry left. Raises PostriderError for an error."""
        if method.upper() == "POST":
            kwargs["headers"] = {"Idempotency-Key": str(uuid.uuid4()), **kwargs.get("headers", {})}
        for retry in range(self._max_retries + 1):
            is_last = retry == self._max_retries
            try:
                response = self._http.request(method, url, **kwargs)
            except httpx.TransportError:
                if is_last:
                    raise
                time.sleep(_backoff(retry))
                continue
            if response.is_success:
                return response
            error = PostriderError(response)
            delay = _backoff(retry) if error.retry_after is None else error.retry_after
            if is_last or not error.is_temporary or delay > MAX_DELAY:
                raise error
            time.sleep(delay)
        raise AssertionError("unreachable")

    def follow_events(
        self, *, after: str | None = None, types: Sequence[EventType] | None = None
    ) -> Iterator[FollowedEvent]:
        """Every event once, in the order of commit, and then what happens, without end. Comes back by itself when the
        connection breaks; raises what is final, such as ``gone``.

        Args:
        after: the cursor of the event read last, or ``newest``; without it, from the oldest event that is kept.
        """
        return follow(self._http, after, ",".join(types) if types else None)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _backoff(retry: int) -> float:
    """Between half and all of 0.5 s, 1 s, 2 s …, so that clients that failed together do not come back together."""
    return float(min(FIRST_DELAY * 2**retry, MAX_DELAY)) * random.uniform(0.5, 1)


def _setting(value: str | None, argument: str, variable: str) -> str:
    found = value or os.environ.get(variable)
    if not found:
        raise TypeError(f"Postrider needs {argument}, or {variable} in the environment")
    return found
