from typing import Any

from ...client import Requester
from ...models.change_inbound_webhook_request import ChangeInboundWebhookRequest
from ...models.change_inbound_webhook_result import ChangeInboundWebhookResult
from ...models.change_inbound_webhook_rotate_secret import (
    ChangeInboundWebhookRotateSecret,
)
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: ChangeInboundWebhookRequest | Unset = UNSET,
    rotate_secret: ChangeInboundWebhookRotateSecret | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    params: dict[str, Any] = {}

    json_rotate_secret: str | Unset = UNSET
    if not isinstance(rotate_secret, Unset):
        json_rotate_secret = rotate_secret

    params["rotate_secret"] = json_rotate_secret

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/settings/inbound-webhook",
        "params": params,
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_inbound_webhook(
    client: Requester,
    *,
    body: ChangeInboundWebhookRequest | Unset = UNSET,
    rotate_secret: ChangeInboundWebhookRotateSecret | Unset = UNSET,
) -> ChangeInboundWebhookResult:
    """Set up or change the webhook

    The first change creates the secret; `rotate_secret=true` replaces it, and the new one signs from
    then on. A secret is shown once. The URL must be https, without credentials, at a public address.

    Scope: settings:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            rotate_secret=rotate_secret,
        )
    ).json()["data"]
    response_200 = ChangeInboundWebhookResult.from_dict(data)

    return response_200
