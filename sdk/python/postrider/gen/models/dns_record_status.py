from typing import Literal, cast

DnsRecordStatus = Literal["found", "missing", "pending", "wrong"]


def check_dns_record_status(value: str) -> DnsRecordStatus:
    return cast(DnsRecordStatus, value)
