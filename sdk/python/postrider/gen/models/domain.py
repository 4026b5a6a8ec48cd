from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.domain_spam_policy import DomainSpamPolicy, check_domain_spam_policy
from ..models.domain_status import DomainStatus, check_domain_status

if TYPE_CHECKING:
    from ..models.dns_record import DnsRecord
    from ..models.domain_brake import DomainBrake
    from ..models.domain_dkim import DomainDkim
    from ..models.domain_tracking_host import DomainTrackingHost
    from ..models.domain_warmup import DomainWarmup


T = TypeVar("T", bound="Domain")


@_attrs_define
class Domain:
    """A sending domain, its records and its warm-up

    Attributes:
        id (str):
        name (str):
        status (DomainStatus):
        problem (None | str): why verification failed, when it is not because of a single record
        dkim (DomainDkim | None):
        records (list[DnsRecord]):
        warmup (DomainWarmup):
        brake (DomainBrake): The same-day brake: docs/deliverability.md
        tracking_host (DomainTrackingHost): Your own name for links and pixel: docs/deliverability.md
        brake_enabled (bool):
        sender_rules_enabled (bool): whether campaign mail above 5,000 a day waits while the domain has no DMARC record
        pool (None | str): the pool of addresses that its mail leaves from; null for the one of the service
        inbound_enabled (bool):
        spam_policy (DomainSpamPolicy): what happens to inbound spam and viruses: `keep` stores them like other mail,
            `mark` sets `junk`, `refuse` answers 550 or 554 to a virus or to spam that the scanner rejects, and marks other
            spam (docs/inbound.md)
        cfbl_enabled (bool): whether its mail names `complaint_address` in a `CFBL-Address` field (RFC 9477)
        transactional_reserve (int): percent of the daily cap reserved for transactional mail
        complaint_address (str):
        dmarc_address (str): where receivers send DMARC aggregate reports (`rua`)
        tls_report_address (str): where senders report about TLS (RFC 8460)
        created_at (datetime.datetime):
        verified_at (datetime.datetime | None):
        checked_at (datetime.datetime | None): time of the last DNS check
    """

    id: str
    name: str
    status: DomainStatus
    problem: None | str
    dkim: DomainDkim | None
    records: list[DnsRecord]
    warmup: DomainWarmup
    brake: DomainBrake
    tracking_host: DomainTrackingHost
    brake_enabled: bool
    sender_rules_enabled: bool
    pool: None | str
    inbound_enabled: bool
    spam_policy: DomainSpamPolicy
    cfbl_enabled: bool
    transactional_reserve: int
    complaint_address: str
    dmarc_address: str
    tls_report_address: str
    created_at: datetime.datetime
    verified_at: datetime.datetime | None
    checked_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.domain_dkim import DomainDkim  # noqa: PLC0415

        id = self.id

        name = self.name

        status: str = self.status

        problem: None | str
        problem = self.problem

        dkim: dict[str, Any] | None
        if isinstance(self.dkim, DomainDkim):
            dkim = self.dkim.to_dict()
        else:
            dkim = self.dkim

        records = []
        for records_item_data in self.records:
            records_item = records_item_data.to_dict()
            records.append(records_item)

        warmup = self.warmup.to_dict()

        brake = self.brake.to_dict()

        tracking_host = self.tracking_host.to_dict()

        brake_enabled = self.brake_enabled

        sender_rules_enabled = self.sender_rules_enabled

        pool: None | str
        pool = self.pool

        inbound_enabled = self.inbound_enabled

        spam_policy: str = self.spam_policy

        cfbl_enabled = self.cfbl_enabled

        transactional_reserve = self.transactional_reserve

        complaint_address = self.complaint_address

        dmarc_address = self.dmarc_address

        tls_report_address = self.tls_report_address

        created_at = self.created_at.isoformat()

        verified_at: None | str
        if isinstance(self.verified_at, datetime.datetime):
            verified_at = self.verified_at.isoformat()
        else:
            verified_at = self.verified_at

        checked_at: None | str
        if isinstance(self.checked_at, datetime.datetime):
            checked_at = self.checked_at.isoformat()
        else:
            checked_at = self.checked_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "status": status,
                "problem": problem,
                "dkim": dkim,
                "records": records,
                "warmup": warmup,
                "brake": brake,
                "tracking_host": tracking_host,
                "brake_enabled": brake_enabled,
                "sender_rules_enabled": sender_rules_enabled,
                "pool": pool,
                "inbound_enabled": inbound_enabled,
                "spam_policy": spam_policy,
                "cfbl_enabled": cfbl_enabled,
                "transactional_reserve": transactional_reserve,
                "complaint_address": complaint_address,
                "dmarc_address": dmarc_address,
                "tls_report_address": tls_report_address,
                "created_at": created_at,
                "verified_at": verified_at,
                "checked_at": checked_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.dns_record import DnsRecord  # noqa: PLC0415
        from ..models.domain_brake import DomainBrake  # noqa: PLC0415
        from ..models.domain_dkim import DomainDkim  # noqa: PLC0415
        from ..models.domain_tracking_host import DomainTrackingHost  # noqa: PLC0415
        from ..models.domain_warmup import DomainWarmup  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        status = check_domain_status(d.pop("status"))

        def _parse_problem(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        problem = _parse_problem(d.pop("problem"))

        def _parse_dkim(data: object) -> DomainDkim | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                dkim_type_0 = DomainDkim.from_dict(data)

                return dkim_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(DomainDkim | None, data)

        dkim = _parse_dkim(d.pop("dkim"))

        records = []
        _records = d.pop("records")
        for records_item_data in _records:
            records_item = DnsRecord.from_dict(records_item_data)

            records.append(records_item)

        warmup = DomainWarmup.from_dict(d.pop("warmup"))

        brake = DomainBrake.from_dict(d.pop("brake"))

        tracking_host = DomainTrackingHost.from_dict(d.pop("tracking_host"))

        brake_enabled = d.pop("brake_enabled")

        sender_rules_enabled = d.pop("sender_rules_enabled")

        def _parse_pool(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        pool = _parse_pool(d.pop("pool"))

        inbound_enabled = d.pop("inbound_enabled")

        spam_policy = check_domain_spam_policy(d.pop("spam_policy"))

        cfbl_enabled = d.pop("cfbl_enabled")

        transactional_reserve = d.pop("transactional_reserve")

        complaint_address = d.pop("complaint_address")

        dmarc_address = d.pop("dmarc_address")

        tls_report_address = d.pop("tls_report_address")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_verified_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                verified_at_type_0 = datetime.datetime.fromisoformat(data)

                return verified_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        verified_at = _parse_verified_at(d.pop("verified_at"))

        def _parse_checked_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                checked_at_type_0 = datetime.datetime.fromisoformat(data)

                return checked_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        checked_at = _parse_checked_at(d.pop("checked_at"))

        domain = cls(
            id=id,
            name=name,
            status=status,
            problem=problem,
            dkim=dkim,
            records=records,
            warmup=warmup,
            brake=brake,
            tracking_host=tracking_host,
            brake_enabled=brake_enabled,
            sender_rules_enabled=sender_rules_enabled,
            pool=pool,
            inbound_enabled=inbound_enabled,
            spam_policy=spam_policy,
            cfbl_enabled=cfbl_enabled,
            transactional_reserve=transactional_reserve,
            complaint_address=complaint_address,
            dmarc_address=dmarc_address,
            tls_report_address=tls_report_address,
            created_at=created_at,
            verified_at=verified_at,
            checked_at=checked_at,
        )

        domain.additional_properties = d
        return domain

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
