from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CampaignCreateAudienceListId")


@_attrs_define
class CampaignCreateAudienceListId:
    """
    Attributes:
        list_id (str): `lst_…`
    """

    list_id: str

    def to_dict(self) -> dict[str, Any]:
        list_id = self.list_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "list_id": list_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        list_id = d.pop("list_id")

        campaign_create_audience_list_id = cls(
            list_id=list_id,
        )

        return campaign_create_audience_list_id
