from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.suppression_reason import SuppressionReason, check_suppression_reason

T = TypeVar("T", bound="Suppression")


@_attrs_define
class Suppression:
    """One address of the suppression list

    Attributes:
        email (str):
        reason (SuppressionReason):
        source_message_id (None | str): the message that led to it
        created_at (datetime.datetime):
    """

    email: str
    reason: SuppressionReason
    source_message_id: None | str
    created_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        email = self.email

        reason: str = self.reason

        source_message_id: None | str
        source_message_id = self.source_message_id

        created_at = self.created_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "email": email,
                "reason": reason,
                "source_message_id": source_message_id,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        email = d.pop("email")

        reason = check_suppression_reason(d.pop("reason"))

        def _parse_source_message_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        source_message_id = _parse_source_message_id(d.pop("source_message_id"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        suppression = cls(
            email=email,
            reason=reason,
            source_message_id=source_message_id,
            created_at=created_at,
        )

        suppression.additional_properties = d
        return suppression

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
