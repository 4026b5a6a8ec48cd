from typing import Literal, cast

ListInboundMessagesJunk = Literal["false", "true"]


def check_list_inbound_messages_junk(value: str) -> ListInboundMessagesJunk:
    return cast(ListInboundMessagesJunk, value)
