from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.domain_dkim_algorithm import (
    DomainDkimAlgorithm,
    check_domain_dkim_algorithm,
)
from ..models.domain_dkim_status import DomainDkimStatus, check_domain_dkim_status

T = TypeVar("T", bound="DomainDkim")


@_attrs_define
class DomainDkim:
    """
    Attributes:
        selector (str):
        algorithm (DomainDkimAlgorithm):
        status (DomainDkimStatus):
    """

    selector: str
    algorithm: DomainDkimAlgorithm
    status: DomainDkimStatus
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        selector = self.selector

        algorithm: str = self.algorithm

        status: str = self.status

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "selector": selector,
                "algorithm": algorithm,
                "status": status,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        selector = d.pop("selector")

        algorithm = check_domain_dkim_algorithm(d.pop("algorithm"))

        status = check_domain_dkim_status(d.pop("status"))

        domain_dkim = cls(
            selector=selector,
            algorithm=algorithm,
            status=status,
        )

        domain_dkim.additional_properties = d
        return domain_dkim

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
