from typing import Literal, cast

DnsRecordType = Literal["CNAME", "MX", "TXT"]


def check_dns_record_type(value: str) -> DnsRecordType:
    return cast(DnsRecordType, value)
