from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.domain_brake_numbers_measure import (
    DomainBrakeNumbersMeasure,
    check_domain_brake_numbers_measure,
)

T = TypeVar("T", bound="DomainBrakeNumbers")


@_attrs_define
class DomainBrakeNumbers:
    """
    Attributes:
        measure (DomainBrakeNumbersMeasure):
        transactional_only (bool):
        attempted (int):
        delivered (int):
        bounced (int):
        unknown (int): of the bounces: the recipient does not exist
        blocked (int): refused by policy or reputation
        complained (int):
    """

    measure: DomainBrakeNumbersMeasure
    transactional_only: bool
    attempted: int
    delivered: int
    bounced: int
    unknown: int
    blocked: int
    complained: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        measure: str = self.measure

        transactional_only = self.transactional_only

        attempted = self.attempted

        delivered = self.delivered

        bounced = self.bounced

        unknown = self.unknown

        blocked = self.blocked

        complained = self.complained

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "measure": measure,
                "transactional_only": transactional_only,
                "attempted": attempted,
                "delivered": delivered,
                "bounced": bounced,
                "unknown": unknown,
                "blocked": blocked,
                "complained": complained,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        measure = check_domain_brake_numbers_measure(d.pop("measure"))

        transactional_only = d.pop("transactional_only")

        attempted = d.pop("attempted")

        delivered = d.pop("delivered")

        bounced = d.pop("bounced")

        unknown = d.pop("unknown")

        blocked = d.pop("blocked")

        complained = d.pop("complained")

        domain_brake_numbers = cls(
            measure=measure,
            transactional_only=transactional_only,
            attempted=attempted,
            delivered=delivered,
            bounced=bounced,
            unknown=unknown,
            blocked=blocked,
            complained=complained,
        )

        domain_brake_numbers.additional_properties = d
        return domain_brake_numbers

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
