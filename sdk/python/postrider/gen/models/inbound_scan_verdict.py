from typing import Literal, cast

InboundScanVerdict = Literal["clean", "not_scanned", "spam", "virus"]


def check_inbound_scan_verdict(value: str) -> InboundScanVerdict:
    return cast(InboundScanVerdict, value)
