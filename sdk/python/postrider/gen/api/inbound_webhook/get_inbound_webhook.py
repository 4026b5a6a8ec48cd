from typing import Any

from ...client import Requester
from ...models.inbound_webhook import InboundWebhook


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/settings/inbound-webhook",
    }

    return _kwargs


def get_inbound_webhook(
    client: Requester,
) -> InboundWebhook:
    """Read the webhook

    Scope: settings:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(**_get_kwargs()).json()["data"]
    response_200 = InboundWebhook.from_dict(data)

    return response_200
