from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="LaunchCampaignRequest")


@_attrs_define
class LaunchCampaignRequest:
    """
    Attributes:
        scheduled_at (datetime.datetime | Unset):
    """

    scheduled_at: datetime.datetime | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        scheduled_at: str | Unset = UNSET
        if not isinstance(self.scheduled_at, Unset):
            scheduled_at = self.scheduled_at.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if scheduled_at is not UNSET:
            field_dict["scheduled_at"] = scheduled_at

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        _scheduled_at = d.pop("scheduled_at", UNSET)
        scheduled_at: datetime.datetime | Unset
        if isinstance(_scheduled_at, Unset):
            scheduled_at = UNSET
        else:
            scheduled_at = datetime.datetime.fromisoformat(_scheduled_at)

        launch_campaign_request = cls(
            scheduled_at=scheduled_at,
        )

        return launch_campaign_request
