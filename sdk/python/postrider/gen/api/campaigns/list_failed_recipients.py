from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.failed_recipient_page import FailedRecipientPage
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/campaigns/{id}/failed".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def list_failed_recipients(
    client: Requester,
    id: str,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> FailedRecipientPage:
    """List failed recipients

    Contacts for whom no message could be created, for example without a variable that the template
    requires.

    Scope: campaigns:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            after=after,
            limit=limit,
        )
    ).json()["data"]
    response_200 = FailedRecipientPage.from_dict(data)

    return response_200
