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
        delay_seconds (int | Unset): starts so many seconds from now; until then `undo-launch` makes it a draft again
        version (int | Unset): refuses with 409 when the campaign has another version by now: somebody else changed it
    """

    scheduled_at: datetime.datetime | Unset = UNSET
    delay_seconds: int | Unset = UNSET
    version: int | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        scheduled_at: str | Unset = UNSET
        if not isinstance(self.scheduled_at, Unset):
            scheduled_at = self.scheduled_at.isoformat()

        delay_seconds = self.delay_seconds

        version = self.version

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if scheduled_at is not UNSET:
            field_dict["scheduled_at"] = scheduled_at
        if delay_seconds is not UNSET:
            field_dict["delay_seconds"] = delay_seconds
        if version is not UNSET:
            field_dict["version"] = version

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

        delay_seconds = d.pop("delay_seconds", UNSET)

        version = d.pop("version", UNSET)

        launch_campaign_request = cls(
            scheduled_at=scheduled_at,
            delay_seconds=delay_seconds,
            version=version,
        )

        return launch_campaign_request
