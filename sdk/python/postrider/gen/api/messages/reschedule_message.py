from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.message import Message
from ...models.message_change import MessageChange


def _get_kwargs(
    id: str,
    *,
    body: MessageChange,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/transactional/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def reschedule_message(
    client: Requester,
    id: str,
    *,
    body: MessageChange,
) -> Message:
    """Move a scheduled message

    Only for a message that waits for its `scheduled_at`; otherwise 409. A time that is past is now.

    Scope: transactional:send.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = Message.from_dict(data)

    return response_200
