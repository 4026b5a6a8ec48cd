from typing import Literal, cast

MessageStatus = Literal[
    "bounced", "cancelled", "deferred", "delivered", "dropped", "expired", "queued", "sending"
]


def check_message_status(value: str) -> MessageStatus:
    return cast(MessageStatus, value)
