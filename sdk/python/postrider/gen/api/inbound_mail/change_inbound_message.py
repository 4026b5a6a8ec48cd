from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.change_inbound_message_request import ChangeInboundMessageRequest
from ...models.inbound_message import InboundMessage
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ChangeInboundMessageRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/mail/messages/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_inbound_message(
    client: Requester,
    id: str,
    *,
    body: ChangeInboundMessageRequest | Unset = UNSET,
) -> InboundMessage:
    """Mark an inbound message as read or unread

    Scope: mail:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = InboundMessage.from_dict(data)

    return response_200
