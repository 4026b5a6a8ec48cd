from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.replay_webhook_request import ReplayWebhookRequest
from ...models.replay_webhook_result import ReplayWebhookResult
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ReplayWebhookRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhooks/{id}/replay".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def replay_webhook(
    client: Requester,
    id: str,
    *,
    body: ReplayWebhookRequest,
    idempotency_key: str | Unset = UNSET,
) -> ReplayWebhookResult:
    """Deliver the events of a range of time again

    All deliveries of the webhook that were made from `since` on and before `until` (now, without it),
    those that were not attempted yet apart. They start again in the background, oldest first.

    Scope: webhooks:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = ReplayWebhookResult.from_dict(data)

    return response_202
