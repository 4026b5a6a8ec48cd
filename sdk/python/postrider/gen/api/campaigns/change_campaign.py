from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.campaign import Campaign
from ...models.campaign_change import CampaignChange
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: CampaignChange | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/campaigns/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_campaign(
    client: Requester,
    id: str,
    *,
    body: CampaignChange | Unset = UNSET,
) -> Campaign:
    """Change a campaign

    Only for a draft or a scheduled campaign; otherwise 409, as when `version` is no longer the stored
    one.

    Scope: campaigns:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = Campaign.from_dict(data)

    return response_200
