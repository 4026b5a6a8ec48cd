from typing import Literal, cast

MessageExportFilterStatus = Literal[
    "bounced", "cancelled", "deferred", "delivered", "dropped", "expired", "queued", "sending"
]


def check_message_export_filter_status(value: str) -> MessageExportFilterStatus:
    return cast(MessageExportFilterStatus, value)
