from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.message_content_attachment import MessageContentAttachment
    from ..models.message_content_header import MessageContentHeader


T = TypeVar("T", bound="MessageContent")


@_attrs_define
class MessageContent:
    """What a message says

    Attributes:
        subject (str):
        html (None | str): without the open pixel, with the links as written
        text (None | str):
        headers (list[MessageContentHeader]):
        attachments (list[MessageContentAttachment]):
    """

    subject: str
    html: None | str
    text: None | str
    headers: list[MessageContentHeader]
    attachments: list[MessageContentAttachment]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        subject = self.subject

        html: None | str
        html = self.html

        text: None | str
        text = self.text

        headers = []
        for headers_item_data in self.headers:
            headers_item = headers_item_data.to_dict()
            headers.append(headers_item)

        attachments = []
        for attachments_item_data in self.attachments:
            attachments_item = attachments_item_data.to_dict()
            attachments.append(attachments_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "subject": subject,
                "html": html,
                "text": text,
                "headers": headers,
                "attachments": attachments,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.message_content_attachment import MessageContentAttachment  # noqa: PLC0415
        from ..models.message_content_header import MessageContentHeader  # noqa: PLC0415

        d = dict(src_dict)
        subject = d.pop("subject")

        def _parse_html(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        html = _parse_html(d.pop("html"))

        def _parse_text(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        text = _parse_text(d.pop("text"))

        headers = []
        _headers = d.pop("headers")
        for headers_item_data in _headers:
            headers_item = MessageContentHeader.from_dict(headers_item_data)

            headers.append(headers_item)

        attachments = []
        _attachments = d.pop("attachments")
        for attachments_item_data in _attachments:
            attachments_item = MessageContentAttachment.from_dict(attachments_item_data)

            attachments.append(attachments_item)

        message_content = cls(
            subject=subject,
            html=html,
            text=text,
            headers=headers,
            attachments=attachments,
        )

        message_content.additional_properties = d
        return message_content

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
