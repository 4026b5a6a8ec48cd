from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeMessageSettingsRequest")


@_attrs_define
class ChangeMessageSettingsRequest:
    """
    Attributes:
        keep_content (bool | Unset): false: what a message says is deleted when it has ended. For messages accepted from
            then on
    """

    keep_content: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        keep_content = self.keep_content

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if keep_content is not UNSET:
            field_dict["keep_content"] = keep_content

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        keep_content = d.pop("keep_content", UNSET)

        change_message_settings_request = cls(
            keep_content=keep_content,
        )

        return change_message_settings_request
