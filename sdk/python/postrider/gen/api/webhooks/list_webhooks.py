from typing import Any

from ...client import Requester
from ...models.webhook_page import WebhookPage
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/webhooks",
        "params": params,
    }

    return _kwargs


def list_webhooks(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> WebhookPage:
    """List webhooks

    Scope: webhooks:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
        )
    ).json()["data"]
    response_200 = WebhookPage.from_dict(data)

    return response_200
