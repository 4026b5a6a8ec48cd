from typing import Literal, cast

ListDomainReportsType = Literal["dmarc", "tls"]


def check_list_domain_reports_type(value: str) -> ListDomainReportsType:
    return cast(ListDomainReportsType, value)
