"""What the operations need of a client."""

from typing import Any, Protocol

import httpx


class Requester(Protocol):
    """Sends a request until it is answered, and raises where the answer is an error."""

    def request(self, method: str, url: str, **kwargs: Any) -> httpx.Response: ...
