import datetime
from typing import Any

from ...client import Requester
from ...models.list_messages_status import (
    ListMessagesStatus,
)
from ...models.message_summary_page import MessageSummaryPage
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    to: str | Unset = UNSET,
    q: str | Unset = UNSET,
    status: ListMessagesStatus | Unset = UNSET,
    tag: str | Unset = UNSET,
    domain: str | Unset = UNSET,
    campaign_id: str | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
    until: datetime.datetime | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params["to"] = to

    params["q"] = q

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status

    params["status"] = json_status

    params["tag"] = tag

    params["domain"] = domain

    params["campaign_id"] = campaign_id

    json_since: str | Unset = UNSET
    if not isinstance(since, Unset):
        json_since = since.isoformat()
    params["since"] = json_since

    json_until: str | Unset = UNSET
    if not isinstance(until, Unset):
        json_until = until.isoformat()
    params["until"] = json_until

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/transactional",
        "params": params,
    }

    return _kwargs


def list_messages(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    to: str | Unset = UNSET,
    q: str | Unset = UNSET,
    status: ListMessagesStatus | Unset = UNSET,
    tag: str | Unset = UNSET,
    domain: str | Unset = UNSET,
    campaign_id: str | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
    until: datetime.datetime | Unset = UNSET,
) -> MessageSummaryPage:
    """List messages

    Newest first. What several filters are given for must match all of them.

    Scope: transactional:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            to=to,
            q=q,
            status=status,
            tag=tag,
            domain=domain,
            campaign_id=campaign_id,
            since=since,
            until=until,
        )
    ).json()["data"]
    response_200 = MessageSummaryPage.from_dict(data)

    return response_200
