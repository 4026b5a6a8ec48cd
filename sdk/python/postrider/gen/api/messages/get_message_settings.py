from typing import Any

from ...client import Requester
from ...models.message_settings import MessageSettings


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/settings/messages",
    }

    return _kwargs


def get_message_settings(
    client: Requester,
) -> MessageSettings:
    """Read what is kept of messages

    Scope: settings:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(**_get_kwargs()).json()["data"]
    response_200 = MessageSettings.from_dict(data)

    return response_200
