from typing import Literal, cast

ListInboundMessagesRead = Literal["false", "true"]


def check_list_inbound_messages_read(value: str) -> ListInboundMessagesRead:
    return cast(ListInboundMessagesRead, value)
