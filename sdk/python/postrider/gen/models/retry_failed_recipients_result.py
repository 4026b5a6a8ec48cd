from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.campaign import Campaign


T = TypeVar("T", bound="RetryFailedRecipientsResult")


@_attrs_define
class RetryFailedRecipientsResult:
    """
    Attributes:
        retried (int):
        campaign (Campaign): One message to the subscribed contacts of an audience
    """

    retried: int
    campaign: Campaign
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        retried = self.retried

        campaign = self.campaign.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "retried": retried,
                "campaign": campaign,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.campaign import Campaign  # noqa: PLC0415

        d = dict(src_dict)
        retried = d.pop("retried")

        campaign = Campaign.from_dict(d.pop("campaign"))

        retry_failed_recipients_result = cls(
            retried=retried,
            campaign=campaign,
        )

        retry_failed_recipients_result.additional_properties = d
        return retry_failed_recipients_result

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
