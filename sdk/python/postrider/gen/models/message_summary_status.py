from typing import Literal, cast

MessageSummaryStatus = Literal[
    "bounced", "cancelled", "deferred", "delivered", "dropped", "expired", "queued", "sending"
]


def check_message_summary_status(value: str) -> MessageSummaryStatus:
    return cast(MessageSummaryStatus, value)
