from typing import Literal, cast

ImportSummaryStatus = Literal["completed", "failed", "pending", "running"]


def check_import_summary_status(value: str) -> ImportSummaryStatus:
    return cast(ImportSummaryStatus, value)
