from typing import Literal, cast

EventType = Literal["bounce", "click", "complaint", "deferred", "delivered", "dropped", "open", "unsubscribe"]


def check_event_type(value: str) -> EventType:
    return cast(EventType, value)
