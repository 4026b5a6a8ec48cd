from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.message import Message


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/transactional/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_message(
    client: Requester,
    id: str,
) -> Message:
    """Read a message

    Scope: transactional:send.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Message.from_dict(data)

    return response_200
