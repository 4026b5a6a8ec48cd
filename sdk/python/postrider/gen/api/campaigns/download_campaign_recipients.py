from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.download_campaign_recipients_filter import (
    DownloadCampaignRecipientsFilter,
)
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    filter_: DownloadCampaignRecipientsFilter | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_filter_: str | Unset = UNSET
    if not isinstance(filter_, Unset):
        json_filter_ = filter_

    params["filter"] = json_filter_

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/campaigns/{id}/recipients/csv".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def download_campaign_recipients(
    client: Requester,
    id: str,
    *,
    filter_: DownloadCampaignRecipientsFilter | Unset = UNSET,
) -> bytes:
    """Download the recipients as CSV

    One line for each recipient, with what became of the message and what they did first. Cells that a
    spreadsheet would run as a formula begin with an apostrophe.

    Scope: campaigns:read.

    Limit: 60 a minute (class `read`).
    """
    return client.request(
        **_get_kwargs(
            id=id,
            filter_=filter_,
        )
    ).content
