from typing import Literal, cast

DnsRecordPurpose = Literal["dkim", "dmarc", "mx", "return_path", "spf", "tls_rpt", "tracking"]


def check_dns_record_purpose(value: str) -> DnsRecordPurpose:
    return cast(DnsRecordPurpose, value)
