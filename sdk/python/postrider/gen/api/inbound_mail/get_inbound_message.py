from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.inbound_message import InboundMessage


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/mail/messages/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_inbound_message(
    client: Requester,
    id: str,
) -> InboundMessage:
    """Read an inbound message

    Scope: mail:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = InboundMessage.from_dict(data)

    return response_200
