from typing import Any

from ...client import Requester
from ...models.change_message_settings_request import ChangeMessageSettingsRequest
from ...models.message_settings import MessageSettings
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: ChangeMessageSettingsRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/settings/messages",
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_message_settings(
    client: Requester,
    *,
    body: ChangeMessageSettingsRequest | Unset = UNSET,
) -> MessageSettings:
    """Change what is kept of messages

    With `keep_content` false, what a message says is shown until it has ended (delivered, bounced,
    expired, dropped or cancelled) and deleted seconds later; of a message to several recipients, when
    the last of them has ended. What was accepted before the change is not shown any more either, and
    deleted at the end of its time.

    Scope: settings:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
        )
    ).json()["data"]
    response_200 = MessageSettings.from_dict(data)

    return response_200
