from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeDomainRequest")


@_attrs_define
class ChangeDomainRequest:
    """
    Attributes:
        inbound_enabled (bool | Unset):
        cfbl_enabled (bool | Unset):
        transactional_reserve (int | Unset):
    """

    inbound_enabled: bool | Unset = UNSET
    cfbl_enabled: bool | Unset = UNSET
    transactional_reserve: int | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        inbound_enabled = self.inbound_enabled

        cfbl_enabled = self.cfbl_enabled

        transactional_reserve = self.transactional_reserve

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if inbound_enabled is not UNSET:
            field_dict["inbound_enabled"] = inbound_enabled
        if cfbl_enabled is not UNSET:
            field_dict["cfbl_enabled"] = cfbl_enabled
        if transactional_reserve is not UNSET:
            field_dict["transactional_reserve"] = transactional_reserve

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        inbound_enabled = d.pop("inbound_enabled", UNSET)

        cfbl_enabled = d.pop("cfbl_enabled", UNSET)

        transactional_reserve = d.pop("transactional_reserve", UNSET)

        change_domain_request = cls(
            inbound_enabled=inbound_enabled,
            cfbl_enabled=cfbl_enabled,
            transactional_reserve=transactional_reserve,
        )

        return change_domain_request
