from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.webhook_with_secret import WebhookWithSecret
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhooks/{id}/rotate".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def rotate_webhook(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> WebhookWithSecret:
    """Replace the secret of a webhook

    For 24 hours the old secret signs beside the new one. `secret` is in this answer only.

    Scope: webhooks:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = WebhookWithSecret.from_dict(data)

    return response_200
