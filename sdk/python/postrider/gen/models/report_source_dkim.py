from typing import Literal, cast

ReportSourceDkim = Literal["fail", "pass"]


def check_report_source_dkim(value: str) -> ReportSourceDkim:
    return cast(ReportSourceDkim, value)
