from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.campaign_preflight_audience_left_out_item_reason import (
    CampaignPreflightAudienceLeftOutItemReason,
    check_campaign_preflight_audience_left_out_item_reason,
)

T = TypeVar("T", bound="CampaignPreflightAudienceLeftOutItem")


@_attrs_define
class CampaignPreflightAudienceLeftOutItem:
    """
    Attributes:
        reason (CampaignPreflightAudienceLeftOutItemReason):
        contacts (int):
    """

    reason: CampaignPreflightAudienceLeftOutItemReason
    contacts: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        reason: str = self.reason

        contacts = self.contacts

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "reason": reason,
                "contacts": contacts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        reason = check_campaign_preflight_audience_left_out_item_reason(d.pop("reason"))

        contacts = d.pop("contacts")

        campaign_preflight_audience_left_out_item = cls(
            reason=reason,
            contacts=contacts,
        )

        campaign_preflight_audience_left_out_item.additional_properties = d
        return campaign_preflight_audience_left_out_item

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
