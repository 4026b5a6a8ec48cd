from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="AlertSettings")


@_attrs_define
class AlertSettings:
    """Where alerts are posted to

    Attributes:
        chat_host (None | str): the host of the chat webhook; its URL is not shown
    """

    chat_host: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        chat_host: None | str
        chat_host = self.chat_host

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "chat_host": chat_host,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_chat_host(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        chat_host = _parse_chat_host(d.pop("chat_host"))

        alert_settings = cls(
            chat_host=chat_host,
        )

        alert_settings.additional_properties = d
        return alert_settings

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
