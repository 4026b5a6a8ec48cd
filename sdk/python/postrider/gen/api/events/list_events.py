import datetime
from typing import Any

from ...client import Requester
from ...models.event_page import EventPage
from ...models.list_events_order import ListEventsOrder
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    types: str | Unset = UNSET,
    type_: str | Unset = UNSET,
    order: ListEventsOrder | Unset = "desc",
    wait: float | Unset = UNSET,
    message_id: str | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
    until: datetime.datetime | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params["types"] = types

    params["type"] = type_

    json_order: str | Unset = UNSET
    if not isinstance(order, Unset):
        json_order = order

    params["order"] = json_order

    params["wait"] = wait

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
    types: str | Unset = UNSET,
    type_: str | Unset = UNSET,
    order: ListEventsOrder | Unset = "desc",
    wait: float | Unset = UNSET,
    message_id: str | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
    until: datetime.datetime | Unset = UNSET,
) -> EventPage:
    """Read or follow events

    Newest first, without `types`: open, click, bounce and complaint. Opens and clicks of scanners and
    prefetchers are marked and not counted in rates.

    With `order=asc` oldest first in the order of commit, without `types`: all of them. `next_cursor` is
    never null then: asking again with it as `after` goes on where this page ended, also after days, and
    gives every event once. `after=newest` begins after the newest event. 410 `gone` when events after
    the cursor are not kept any more.

    Scope: events:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            types=types,
            type_=type_,
            order=order,
            wait=wait,
            message_id=message_id,
            since=since,
            until=until,
        )
    ).json()["data"]
    response_200 = EventPage.from_dict(data)

    return response_200
