from typing import Literal, cast

MessageRecipientStatus = Literal[
    "bounced", "cancelled", "deferred", "delivered", "dropped", "expired", "queued", "sending"
]


def check_message_recipient_status(value: str) -> MessageRecipientStatus:
    return cast(MessageRecipientStatus, value)
