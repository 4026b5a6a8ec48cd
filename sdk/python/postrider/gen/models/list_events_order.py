from typing import Literal, cast

ListEventsOrder = Literal["asc", "desc"]


def check_list_events_order(value: str) -> ListEventsOrder:
    return cast(ListEventsOrder, value)
