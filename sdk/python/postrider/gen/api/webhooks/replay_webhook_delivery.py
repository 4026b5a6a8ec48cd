from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.replay_webhook_delivery_result import ReplayWebhookDeliveryResult
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    wdl: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhooks/{id}/deliveries/{wdl}/replay".format(
            id=quote(str(id), safe=""),
            wdl=quote(str(wdl), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def replay_webhook_delivery(
    client: Requester,
    id: str,
    wdl: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> ReplayWebhookDeliveryResult:
    """Deliver an event again

    Whatever became of it: starts again with attempt 1, under the same `webhook-id`.

    Scope: webhooks:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            wdl=wdl,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = ReplayWebhookDeliveryResult.from_dict(data)

    return response_202
