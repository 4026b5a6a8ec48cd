from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.campaign import Campaign
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
        "url": "/campaigns/{id}/duplicate".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def duplicate_campaign(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> Campaign:
    """Duplicate a campaign

    Creates a draft with the same content, sender and audience, whatever became of the first.

    Scope: campaigns:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = Campaign.from_dict(data)

    return response_201
