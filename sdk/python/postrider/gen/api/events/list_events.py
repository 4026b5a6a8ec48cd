import datetime
from typing import Any

from ...client import Requester
from ...models.event_page import EventPage
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    type_: str | Unset = UNSET,
    message_id: str | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
    until: datetime.datetime | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params["type"] = type_

    params["message_id"] = message_id

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
        "url": "/events",
        "params": params,
    }

    return _kwargs


def list_events(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    type_: str | Unset = UNSET,
    message_id: str | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
    until: datetime.datetime | Unset = UNSET,
) -> EventPage:
    """Read the event feed

    Newest first. Without `type`: open, click, bounce and complaint. Opens and clicks of scanners and
    prefetchers are marked and not counted in rates.

    Scope: events:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            type_=type_,
            message_id=message_id,
            since=since,
            until=until,
        )
    ).json()["data"]
    response_200 = EventPage.from_dict(data)

    return response_200
