from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="MessageChange")


@_attrs_define
class MessageChange:
    """What can be changed of a message that is scheduled

    Attributes:
        scheduled_at (datetime.datetime):
    """

    scheduled_at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        scheduled_at = self.scheduled_at.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "scheduled_at": scheduled_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        scheduled_at = datetime.datetime.fromisoformat(d.pop("scheduled_at"))

        message_change = cls(
            scheduled_at=scheduled_at,
        )

        return message_change
