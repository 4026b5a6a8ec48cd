from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="WhoamiResultQuota")


@_attrs_define
class WhoamiResultQuota:
    """
    Attributes:
        used (int):
        cap (int):
        remaining (int):
        resets_at (datetime.datetime):
    """

    used: int
    cap: int
    remaining: int
    resets_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        used = self.used

        cap = self.cap

        remaining = self.remaining

        resets_at = self.resets_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "used": used,
                "cap": cap,
                "remaining": remaining,
                "resets_at": resets_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        used = d.pop("used")

        cap = d.pop("cap")

        remaining = d.pop("remaining")

        resets_at = datetime.datetime.fromisoformat(d.pop("resets_at"))

        whoami_result_quota = cls(
            used=used,
            cap=cap,
            remaining=remaining,
            resets_at=resets_at,
        )

        whoami_result_quota.additional_properties = d
        return whoami_result_quota

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
