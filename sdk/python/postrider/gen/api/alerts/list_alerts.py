from typing import Any

from ...client import Requester
from ...models.alert_page import AlertPage
from ...models.list_alerts_status import ListAlertsStatus
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    status: ListAlertsStatus | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status

    params["status"] = json_status

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/alerts",
        "params": params,
    }

    return _kwargs


def list_alerts(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    status: ListAlertsStatus | Unset = UNSET,
) -> AlertPage:
    """List alerts

    Newest first; kept for 400 days after they were resolved.

    Scope: settings:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            status=status,
        )
    ).json()["data"]
    response_200 = AlertPage.from_dict(data)

    return response_200
