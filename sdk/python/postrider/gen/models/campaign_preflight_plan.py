from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.campaign_preflight_plan_day import CampaignPreflightPlanDay


T = TypeVar("T", bound="CampaignPreflightPlan")


@_attrs_define
class CampaignPreflightPlan:
    """what leaves on which UTC day, if launched now

    Attributes:
        assumption (str):
        days (list[CampaignPreflightPlanDay]):
        left (int): messages that would still wait after these days
    """

    assumption: str
    days: list[CampaignPreflightPlanDay]
    left: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        assumption = self.assumption

        days = []
        for days_item_data in self.days:
            days_item = days_item_data.to_dict()
            days.append(days_item)

        left = self.left

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "assumption": assumption,
                "days": days,
                "left": left,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.campaign_preflight_plan_day import CampaignPreflightPlanDay  # noqa: PLC0415

        d = dict(src_dict)
        assumption = d.pop("assumption")

        days = []
        _days = d.pop("days")
        for days_item_data in _days:
            days_item = CampaignPreflightPlanDay.from_dict(days_item_data)

            days.append(days_item)

        left = d.pop("left")

        campaign_preflight_plan = cls(
            assumption=assumption,
            days=days,
            left=left,
        )

        campaign_preflight_plan.additional_properties = d
        return campaign_preflight_plan

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
