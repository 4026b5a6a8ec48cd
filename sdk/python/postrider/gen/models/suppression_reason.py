from typing import Literal, cast

SuppressionReason = Literal["bounce", "complaint", "manual", "unsubscribe"]


def check_suppression_reason(value: str) -> SuppressionReason:
    return cast(SuppressionReason, value)
