from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ResendMessageRequest")


@_attrs_define
class ResendMessageRequest:
    """
    Attributes:
        to (str | Unset): instead of its recipient: `address` or `Name <address>`, to look at it there
    """

    to: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        to = self.to

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if to is not UNSET:
            field_dict["to"] = to

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        to = d.pop("to", UNSET)

        resend_message_request = cls(
            to=to,
        )

        return resend_message_request
