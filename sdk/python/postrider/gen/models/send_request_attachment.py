from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SendRequestAttachment")


@_attrs_define
class SendRequestAttachment:
    """
    Attributes:
        filename (str):
        content (str):
        content_type (str | Unset):
        content_id (str | Unset):
    """

    filename: str
    content: str
    content_type: str | Unset = UNSET
    content_id: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        filename = self.filename

        content = self.content

        content_type = self.content_type

        content_id = self.content_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "filename": filename,
                "content": content,
            }
        )
        if content_type is not UNSET:
            field_dict["content_type"] = content_type
        if content_id is not UNSET:
            field_dict["content_id"] = content_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        filename = d.pop("filename")

        content = d.pop("content")

        content_type = d.pop("content_type", UNSET)

        content_id = d.pop("content_id", UNSET)

        send_request_attachment = cls(
            filename=filename,
            content=content,
            content_type=content_type,
            content_id=content_id,
        )

        return send_request_attachment
