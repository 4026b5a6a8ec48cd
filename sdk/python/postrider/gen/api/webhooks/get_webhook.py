from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.webhook import Webhook


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/webhooks/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_webhook(
    client: Requester,
    id: str,
) -> Webhook:
    """Read a webhook

    Scope: webhooks:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Webhook.from_dict(data)

    return response_200
