from typing import Literal, cast

EventExportFilterType = Literal[
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


def check_event_export_filter_type(value: str) -> EventExportFilterType:
    return cast(EventExportFilterType, value)
