from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeAlertSettingsRequest")


@_attrs_define
class ChangeAlertSettingsRequest:
    """
    Attributes:
        chat_webhook_url (None | str | Unset): https, at a public address; takes `{"text": "…"}` as Slack does; null
            removes it; never shown again
    """

    chat_webhook_url: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        chat_webhook_url: None | str | Unset
        if isinstance(self.chat_webhook_url, Unset):
            chat_webhook_url = UNSET
        else:
            chat_webhook_url = self.chat_webhook_url

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if chat_webhook_url is not UNSET:
            field_dict["chat_webhook_url"] = chat_webhook_url

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_chat_webhook_url(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        chat_webhook_url = _parse_chat_webhook_url(d.pop("chat_webhook_url", UNSET))

        change_alert_settings_request = cls(
            chat_webhook_url=chat_webhook_url,
        )

        return change_alert_settings_request
