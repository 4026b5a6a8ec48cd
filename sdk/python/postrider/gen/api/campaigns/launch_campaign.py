from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.campaign import Campaign
from ...models.launch_campaign_request import LaunchCampaignRequest
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: LaunchCampaignRequest | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/campaigns/{id}/launch".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def launch_campaign(
    client: Requester,
    id: str,
    *,
    body: LaunchCampaignRequest | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> Campaign:
    """Launch or schedule a campaign

    Every contact of the audience who is still subscribed when the campaign reaches them gets exactly
    one message. With `scheduled_at` in the future it starts then; until then `undo-launch` takes it
    back. The sending domain must be verified and not paused.

    Scope: campaigns:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = Campaign.from_dict(data)

    return response_202
