from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="CampaignReportLink")


@_attrs_define
class CampaignReportLink:
    """
    Attributes:
        url (str):
        recipients (int): people who followed it
        clicks (int): all times that people followed it
        machine_clicks (int):
    """

    url: str
    recipients: int
    clicks: int
    machine_clicks: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        recipients = self.recipients

        clicks = self.clicks

        machine_clicks = self.machine_clicks

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "url": url,
                "recipients": recipients,
                "clicks": clicks,
                "machine_clicks": machine_clicks,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        url = d.pop("url")

        recipients = d.pop("recipients")

        clicks = d.pop("clicks")

        machine_clicks = d.pop("machine_clicks")

        campaign_report_link = cls(
            url=url,
            recipients=recipients,
            clicks=clicks,
            machine_clicks=machine_clicks,
        )

        campaign_report_link.additional_properties = d
        return campaign_report_link

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
