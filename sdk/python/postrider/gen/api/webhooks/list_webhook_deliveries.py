import datetime
from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.list_webhook_deliveries_event_type import (
    ListWebhookDeliveriesEventType,
)
from ...models.list_webhook_deliveries_status import (
    ListWebhookDeliveriesStatus,
)
from ...models.webhook_delivery_page import WebhookDeliveryPage
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    status: ListWebhookDeliveriesStatus | Unset = UNSET,
    event_type: ListWebhookDeliveriesEventType | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status

    params["status"] = json_status

    json_event_type: str | Unset = UNSET
    if not isinstance(event_type, Unset):
        json_event_type = event_type

    params["event_type"] = json_event_type

    json_since: str | Unset = UNSET
    if not isinstance(since, Unset):
        json_since = since.isoformat()
    params["since"] = json_since

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/webhooks/{id}/deliveries".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def list_webhook_deliveries(
    client: Requester,
    id: str,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    status: ListWebhookDeliveriesStatus | Unset = UNSET,
    event_type: ListWebhookDeliveriesEventType | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
) -> WebhookDeliveryPage:
    """List the deliveries of a webhook

    Kept for 30 days.

    Scope: webhooks:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            after=after,
            limit=limit,
            status=status,
            event_type=event_type,
            since=since,
        )
    ).json()["data"]
    response_200 = WebhookDeliveryPage.from_dict(data)

    return response_200
