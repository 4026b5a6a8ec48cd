from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.campaign import Campaign


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/campaigns/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_campaign(
    client: Requester,
    id: str,
) -> Campaign:
    """Read a campaign

    Scope: campaigns:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Campaign.from_dict(data)

    return response_200
