from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.domain_warmup_state import DomainWarmupState, check_domain_warmup_state

T = TypeVar("T", bound="DomainWarmup")


@_attrs_define
class DomainWarmup:
    """
    Attributes:
        tier (int):
        cap (int):
        used (int):
        day (datetime.date): the UTC date of `used`
        state (DomainWarmupState):
        paused_reason (None | str):
    """

    tier: int
    cap: int
    used: int
    day: datetime.date
    state: DomainWarmupState
    paused_reason: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        tier = self.tier

        cap = self.cap

        used = self.used

        day = self.day.isoformat()

        state: str = self.state

        paused_reason: None | str
        paused_reason = self.paused_reason

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "tier": tier,
                "cap": cap,
                "used": used,
                "day": day,
                "state": state,
                "paused_reason": paused_reason,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        tier = d.pop("tier")

        cap = d.pop("cap")

        used = d.pop("used")

        day = datetime.date.fromisoformat(d.pop("day"))

        state = check_domain_warmup_state(d.pop("state"))

        def _parse_paused_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        paused_reason = _parse_paused_reason(d.pop("paused_reason"))

        domain_warmup = cls(
            tier=tier,
            cap=cap,
            used=used,
            day=day,
            state=state,
            paused_reason=paused_reason,
        )

        domain_warmup.additional_properties = d
        return domain_warmup

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
