from typing import Any

from ...client import Requester
from ...models.mailbox_page import MailboxPage
from ...types import UNSET, Unset


def _get_kwargs(
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
        "url": "/mail/mailboxes",
        "params": params,
    }

    return _kwargs


def list_mailboxes(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> MailboxPage:
    """List mailboxes

    Scope: mail:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
        )
    ).json()["data"]
    response_200 = MailboxPage.from_dict(data)

    return response_200
