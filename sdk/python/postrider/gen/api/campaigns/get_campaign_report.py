from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.campaign_report import CampaignReport


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/campaigns/{id}/report".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_campaign_report(
    client: Requester,
    id: str,
) -> CampaignReport:
    """Read the report of a campaign

    For as long as its messages are kept. Machines are told apart from people.

    Scope: campaigns:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = CampaignReport.from_dict(data)

    return response_200
