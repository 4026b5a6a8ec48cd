from typing import Any
from urllib.parse import quote

from ...client import Requester


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/mail/messages/{id}/raw".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_inbound_message_source(
    client: Requester,
    id: str,
) -> bytes:
    """Download the raw message

    The received message, byte for byte, as `message/rfc822`.

    Scope: mail:read.

    Limit: 60 a minute (class `read`).
    """
    return client.request(
        **_get_kwargs(
            id=id,
        )
    ).content
