from typing import Literal, cast

DomainStatus = Literal["failed", "pending", "verified"]


def check_domain_status(value: str) -> DomainStatus:
    return cast(DomainStatus, value)
