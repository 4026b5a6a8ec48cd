from typing import Any

from ...client import Requester
from ...models.create_webhook_request import CreateWebhookRequest
from ...models.webhook_with_secret import WebhookWithSecret
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: CreateWebhookRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhooks",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_webhook(
    client: Requester,
    *,
    body: CreateWebhookRequest,
    idempotency_key: str | Unset = UNSET,
) -> WebhookWithSecret:
    """Create a webhook

    Events of the chosen types are posted to the URL, signed as Standard Webhooks says, up to 7 times
    until it answers 2xx. A tenant may have 20. `secret` is in this answer only.

    Scope: webhooks:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = WebhookWithSecret.from_dict(data)

    return response_201
