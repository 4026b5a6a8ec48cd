from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.campaign_preflight import CampaignPreflight
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
        "url": "/campaigns/{id}/preflight".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def preflight_campaign(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> CampaignPreflight:
    """Check a campaign before its launch

    The sender rules for its domain, its words as some of its recipients would get them, whom it
    reaches, and how many messages leave on which day under the cap. Changes nothing.

    Scope: campaigns:read.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = CampaignPreflight.from_dict(data)

    return response_200
