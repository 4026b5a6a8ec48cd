from typing import Literal, cast

DomainReportType = Literal["dmarc", "tls"]


def check_domain_report_type(value: str) -> DomainReportType:
    return cast(DomainReportType, value)
