from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.change_webhook_request import ChangeWebhookRequest
from ...models.webhook import Webhook
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ChangeWebhookRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/webhooks/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_webhook(
    client: Requester,
    id: str,
    *,
    body: ChangeWebhookRequest | Unset = UNSET,
) -> Webhook:
    """Change a webhook

    While it is off nothing is posted and no new event is kept for it; what waited already is posted
    when it is on again within seven days.

    Scope: webhooks:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = Webhook.from_dict(data)

    return response_200
