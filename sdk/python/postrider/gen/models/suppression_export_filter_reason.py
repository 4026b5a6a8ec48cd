from typing import Literal, cast

SuppressionExportFilterReason = Literal["bounce", "complaint", "manual", "unsubscribe"]


def check_suppression_export_filter_reason(value: str) -> SuppressionExportFilterReason:
    return cast(SuppressionExportFilterReason, value)
