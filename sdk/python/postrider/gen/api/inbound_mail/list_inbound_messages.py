from typing import Any

from ...client import Requester
from ...models.inbound_summary_page import InboundSummaryPage
from ...models.list_inbound_messages_junk import (
    ListInboundMessagesJunk,
)
from ...models.list_inbound_messages_read import (
    ListInboundMessagesRead,
)
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    mailbox_id: str | Unset = UNSET,
    read: ListInboundMessagesRead | Unset = UNSET,
    junk: ListInboundMessagesJunk | Unset = UNSET,
    q: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params["mailbox_id"] = mailbox_id

    json_read: str | Unset = UNSET
    if not isinstance(read, Unset):
        json_read = read

    params["read"] = json_read

    json_junk: str | Unset = UNSET
    if not isinstance(junk, Unset):
        json_junk = junk

    params["junk"] = json_junk

    params["q"] = q

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/mail/messages",
        "params": params,
    }

    return _kwargs


def list_inbound_messages(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    mailbox_id: str | Unset = UNSET,
    read: ListInboundMessagesRead | Unset = UNSET,
    junk: ListInboundMessagesJunk | Unset = UNSET,
    q: str | Unset = UNSET,
) -> InboundSummaryPage:
    """List inbound messages

    Scope: mail:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            mailbox_id=mailbox_id,
            read=read,
            junk=junk,
            q=q,
        )
    ).json()["data"]
    response_200 = InboundSummaryPage.from_dict(data)

    return response_200
