from typing import Literal, cast

DomainDkimStatus = Literal["found", "missing", "pending", "wrong"]


def check_domain_dkim_status(value: str) -> DomainDkimStatus:
    return cast(DomainDkimStatus, value)
