from typing import Any

from ...client import Requester
from ...models.campaign import Campaign
from ...models.campaign_create import CampaignCreate
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: CampaignCreate,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/campaigns",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_campaign(
    client: Requester,
    *,
    body: CampaignCreate,
    idempotency_key: str | Unset = UNSET,
) -> Campaign:
    """Create a draft

    Subject, html and text are Liquid; `email`, `first_name`, `last_name` and the contact’s attributes
    are the variables. `{{ unsubscribe_url }}` is the recipient’s unsubscribe link, the same as in the
    List-Unsubscribe header; its page asks for confirmation. An attribute of that name is ignored.

    Scope: campaigns:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = Campaign.from_dict(data)

    return response_201
