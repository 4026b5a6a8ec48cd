from typing import Literal, cast

EventType = Literal[
    "bounce",
    "cancelled",
    "click",
    "complaint",
    "deferred",
    "delivered",
    "dropped",
    "expired",
    "open",
    "unsubscribe",
]


def check_event_type(value: str) -> EventType:
    return cast(EventType, value)
