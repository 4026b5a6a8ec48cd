from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="CampaignReportPoint")


@_attrs_define
class CampaignReportPoint:
    """
    Attributes:
        at (datetime.datetime):
        opens (int):
        clicks (int):
        machine_opens (int):
        machine_clicks (int):
    """

    at: datetime.datetime
    opens: int
    clicks: int
    machine_opens: int
    machine_clicks: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        opens = self.opens

        clicks = self.clicks

        machine_opens = self.machine_opens

        machine_clicks = self.machine_clicks

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "at": at,
                "opens": opens,
                "clicks": clicks,
                "machine_opens": machine_opens,
                "machine_clicks": machine_clicks,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        opens = d.pop("opens")

        clicks = d.pop("clicks")

        machine_opens = d.pop("machine_opens")

        machine_clicks = d.pop("machine_clicks")

        campaign_report_point = cls(
            at=at,
            opens=opens,
            clicks=clicks,
            machine_opens=machine_opens,
            machine_clicks=machine_clicks,
        )

        campaign_report_point.additional_properties = d
        return campaign_report_point

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
