from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.dns_record_purpose import DnsRecordPurpose, check_dns_record_purpose
from ..models.dns_record_status import DnsRecordStatus, check_dns_record_status
from ..models.dns_record_type import DnsRecordType, check_dns_record_type

T = TypeVar("T", bound="DnsRecord")


@_attrs_define
class DnsRecord:
    """A record to publish, and the result of the last DNS check

    Attributes:
        purpose (DnsRecordPurpose):
        type_ (DnsRecordType):
        name (str): the full name; leave out the domain if your DNS provider appends it
        value (str):
        priority (int | None): for an MX record
        required (bool): required for verification
        status (DnsRecordStatus):
        problem (None | str): the problem and the next step
    """

    purpose: DnsRecordPurpose
    type_: DnsRecordType
    name: str
    value: str
    priority: int | None
    required: bool
    status: DnsRecordStatus
    problem: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        purpose: str = self.purpose

        type_: str = self.type_

        name = self.name

        value = self.value

        priority: int | None
        priority = self.priority

        required = self.required

        status: str = self.status

        problem: None | str
        problem = self.problem

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "purpose": purpose,
                "type": type_,
                "name": name,
                "value": value,
                "priority": priority,
                "required": required,
                "status": status,
                "problem": problem,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        purpose = check_dns_record_purpose(d.pop("purpose"))

        type_ = check_dns_record_type(d.pop("type"))

        name = d.pop("name")

        value = d.pop("value")

        def _parse_priority(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        priority = _parse_priority(d.pop("priority"))

        required = d.pop("required")

        status = check_dns_record_status(d.pop("status"))

        def _parse_problem(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        problem = _parse_problem(d.pop("problem"))

        dns_record = cls(
            purpose=purpose,
            type_=type_,
            name=name,
            value=value,
            priority=priority,
            required=required,
            status=status,
            problem=problem,
        )

        dns_record.additional_properties = d
        return dns_record

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
