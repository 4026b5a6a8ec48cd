from typing import Literal, cast

AddSuppressionsRequestReason = Literal["bounce", "complaint", "manual", "unsubscribe"]


def check_add_suppressions_request_reason(value: str) -> AddSuppressionsRequestReason:
    return cast(AddSuppressionsRequestReason, value)
