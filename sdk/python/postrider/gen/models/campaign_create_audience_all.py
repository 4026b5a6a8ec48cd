from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CampaignCreateAudienceAll")


@_attrs_define
class CampaignCreateAudienceAll:
    """
    Attributes:
        all_ (bool):
    """

    all_: bool

    def to_dict(self) -> dict[str, Any]:
        all_ = self.all_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "all": all_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        all_ = d.pop("all")

        campaign_create_audience_all = cls(
            all_=all_,
        )

        return campaign_create_audience_all
