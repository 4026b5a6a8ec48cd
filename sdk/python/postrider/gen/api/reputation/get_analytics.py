import datetime
from typing import Any

from ...client import Requester
from ...models.analytics import Analytics
from ...models.get_analytics_group_by import (
    GetAnalyticsGroupBy,
)
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    days: int | Unset = UNSET,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    domain: str | Unset = UNSET,
    tag: str | Unset = UNSET,
    campaign_id: str | Unset = UNSET,
    provider: str | Unset = UNSET,
    group_by: GetAnalyticsGroupBy | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["days"] = days

    json_from_: str | Unset = UNSET
    if not isinstance(from_, Unset):
        json_from_ = from_.isoformat()
    params["from"] = json_from_

    json_to: str | Unset = UNSET
    if not isinstance(to, Unset):
        json_to = to.isoformat()
    params["to"] = json_to

    params["domain"] = domain

    params["tag"] = tag

    params["campaign_id"] = campaign_id

    params["provider"] = provider

    json_group_by: str | Unset = UNSET
    if not isinstance(group_by, Unset):
        json_group_by = group_by

    params["group_by"] = json_group_by

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/analytics",
        "params": params,
    }

    return _kwargs


def get_analytics(
    client: Requester,
    *,
    days: int | Unset = UNSET,
    from_: datetime.date | Unset = UNSET,
    to: datetime.date | Unset = UNSET,
    domain: str | Unset = UNSET,
    tag: str | Unset = UNSET,
    campaign_id: str | Unset = UNSET,
    provider: str | Unset = UNSET,
    group_by: GetAnalyticsGroupBy | Unset = UNSET,
) -> Analytics:
    """Read what became of mail by day

    Each message counts on the UTC day on which it was accepted, whenever it was opened or bounced. Up
    to a minute behind.

    Scope: reputation:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            days=days,
            from_=from_,
            to=to,
            domain=domain,
            tag=tag,
            campaign_id=campaign_id,
            provider=provider,
            group_by=group_by,
        )
    ).json()["data"]
    response_200 = Analytics.from_dict(data)

    return response_200
