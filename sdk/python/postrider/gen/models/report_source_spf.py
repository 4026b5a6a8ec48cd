from typing import Literal, cast

ReportSourceSpf = Literal["fail", "pass"]


def check_report_source_spf(value: str) -> ReportSourceSpf:
    return cast(ReportSourceSpf, value)
