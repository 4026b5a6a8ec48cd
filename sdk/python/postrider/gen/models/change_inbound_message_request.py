from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeInboundMessageRequest")


@_attrs_define
class ChangeInboundMessageRequest:
    """
    Attributes:
        read (bool | Unset):
    """

    read: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        read = self.read

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if read is not UNSET:
            field_dict["read"] = read

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        read = d.pop("read", UNSET)

        change_inbound_message_request = cls(
            read=read,
        )

        return change_inbound_message_request
