from typing import Literal, cast

InboundScanReason = Literal["bad_answer", "error", "off", "paused", "skipped", "timeout", "unreachable"]


def check_inbound_scan_reason(value: str) -> InboundScanReason:
    return cast(InboundScanReason, value)
