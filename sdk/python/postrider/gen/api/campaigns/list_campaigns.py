from typing import Any

from ...client import Requester
from ...models.campaign_page import CampaignPage
from ...models.list_campaigns_status import (
    ListCampaignsStatus,
)
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    status: ListCampaignsStatus | Unset = UNSET,
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
        "url": "/campaigns",
        "params": params,
    }

    return _kwargs


def list_campaigns(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    status: ListCampaignsStatus | Unset = UNSET,
) -> CampaignPage:
    """List campaigns

    Scope: campaigns:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            status=status,
        )
    ).json()["data"]
    response_200 = CampaignPage.from_dict(data)

    return response_200
