from typing import Literal, cast

ListSuppressionsReason = Literal["bounce", "complaint", "manual", "unsubscribe"]


def check_list_suppressions_reason(value: str) -> ListSuppressionsReason:
    return cast(ListSuppressionsReason, value)
