from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="CampaignPreflightPlanDay")


@_attrs_define
class CampaignPreflightPlanDay:
    """
    Attributes:
        date (datetime.date):
        tier (int):
        bulk_cap (int): campaign messages that the domain may send on that day
        sends (int): of this campaign
    """

    date: datetime.date
    tier: int
    bulk_cap: int
    sends: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        date = self.date.isoformat()

        tier = self.tier

        bulk_cap = self.bulk_cap

        sends = self.sends

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "date": date,
                "tier": tier,
                "bulk_cap": bulk_cap,
                "sends": sends,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        date = datetime.date.fromisoformat(d.pop("date"))

        tier = d.pop("tier")

        bulk_cap = d.pop("bulk_cap")

        sends = d.pop("sends")

        campaign_preflight_plan_day = cls(
            date=date,
            tier=tier,
            bulk_cap=bulk_cap,
            sends=sends,
        )

        campaign_preflight_plan_day.additional_properties = d
        return campaign_preflight_plan_day

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
