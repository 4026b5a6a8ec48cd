from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.campaign_preflight_audience_left_out_item import (
        CampaignPreflightAudienceLeftOutItem,
    )


T = TypeVar("T", bound="CampaignPreflightAudience")


@_attrs_define
class CampaignPreflightAudience:
    """
    Attributes:
        total (int):
        sendable (int):
        unsubscribed (int):
        suppressed (int):
        left_out (list[CampaignPreflightAudienceLeftOutItem]): who gets no message; with `sendable` they add up to
            `total`. unsubscribed: The contact has unsubscribed; suppressed_bounce: The address is suppressed: mail to it
            bounced; suppressed_complaint: The address is suppressed: its reader reported spam; suppressed_unsubscribe: The
            address is suppressed: its reader unsubscribed by a link; suppressed_manual: The address is suppressed: somebody
            of the account put it there; missing_variable: The contact has no value for a variable that the template
            requires
    """

    total: int
    sendable: int
    unsubscribed: int
    suppressed: int
    left_out: list[CampaignPreflightAudienceLeftOutItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        total = self.total

        sendable = self.sendable

        unsubscribed = self.unsubscribed

        suppressed = self.suppressed

        left_out = []
        for left_out_item_data in self.left_out:
            left_out_item = left_out_item_data.to_dict()
            left_out.append(left_out_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "total": total,
                "sendable": sendable,
                "unsubscribed": unsubscribed,
                "suppressed": suppressed,
                "left_out": left_out,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.campaign_preflight_audience_left_out_item import (
            CampaignPreflightAudienceLeftOutItem,  # noqa: PLC0415
        )

        d = dict(src_dict)
        total = d.pop("total")

        sendable = d.pop("sendable")

        unsubscribed = d.pop("unsubscribed")

        suppressed = d.pop("suppressed")

        left_out = []
        _left_out = d.pop("left_out")
        for left_out_item_data in _left_out:
            left_out_item = CampaignPreflightAudienceLeftOutItem.from_dict(left_out_item_data)

            left_out.append(left_out_item)

        campaign_preflight_audience = cls(
            total=total,
            sendable=sendable,
            unsubscribed=unsubscribed,
            suppressed=suppressed,
            left_out=left_out,
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
