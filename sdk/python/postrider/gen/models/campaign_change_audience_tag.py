from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CampaignChangeAudienceTag")


@_attrs_define
class CampaignChangeAudienceTag:
    """
    Attributes:
        tag (str):
    """

    tag: str

    def to_dict(self) -> dict[str, Any]:
        tag = self.tag

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "tag": tag,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        tag = d.pop("tag")

        campaign_change_audience_tag = cls(
            tag=tag,
        )

        return campaign_change_audience_tag
