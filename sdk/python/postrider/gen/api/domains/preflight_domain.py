from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.preflight import Preflight


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/mail/domains/{id}/preflight".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def preflight_domain(
    client: Requester,
    id: str,
) -> Preflight:
    """Check a domain against the sender rules

    What mailbox providers ask of senders, checked in DNS now (six seconds at most). Records that DNS
    does not answer for are `warn`. Changes nothing.

    Scope: domains:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Preflight.from_dict(data)

    return response_200
