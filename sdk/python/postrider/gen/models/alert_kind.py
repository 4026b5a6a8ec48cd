from typing import Literal, cast

AlertKind = Literal[
    "block_rate",
    "bounce_rate",
    "complaint_rate",
    "dns_broken",
    "key_refused",
    "key_unused",
    "quota",
    "waiting_age",
    "webhook_failing",
]


def check_alert_kind(value: str) -> AlertKind:
    return cast(AlertKind, value)
