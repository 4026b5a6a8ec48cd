from typing import Literal, cast

ListMessagesStatus = Literal[
    "bounced", "cancelled", "deferred", "delivered", "dropped", "expired", "queued", "sending"
]


def check_list_messages_status(value: str) -> ListMessagesStatus:
    return cast(ListMessagesStatus, value)
