from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="CampaignPreflightAudience")


@_attrs_define
class CampaignPreflightAudience:
    """
    Attributes:
        total (int):
        sendable (int):
        unsubscribed (int):
        suppressed (int):
    """

    total: int
    sendable: int
    unsubscribed: int
    suppressed: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        total = self.total

        sendable = self.sendable

        unsubscribed = self.unsubscribed

        suppressed = self.suppressed

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "total": total,
                "sendable": sendable,
                "unsubscribed": unsubscribed,
                "suppressed": suppressed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        total = d.pop("total")

        sendable = d.pop("sendable")

        unsubscribed = d.pop("unsubscribed")

        suppressed = d.pop("suppressed")

        campaign_preflight_audience = cls(
            total=total,
            sendable=sendable,
            unsubscribed=unsubscribed,
            suppressed=suppressed,
        )

        campaign_preflight_audience.additional_properties = d
        return campaign_preflight_audience

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
