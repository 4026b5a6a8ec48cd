from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MessageAttempt")


@_attrs_define
class MessageAttempt:
    """
    Attributes:
        at (datetime.datetime):
        mx (None | str):
        tls (None | str): TLS version and cipher, as in `TLSv1.3 TLS_AES_256_GCM_SHA384`; null for plain text
        smtp_code (int | None):
        enhanced_code (None | str):
        reply (str):
    """

    at: datetime.datetime
    mx: None | str
    tls: None | str
    smtp_code: int | None
    enhanced_code: None | str
    reply: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        mx: None | str
        mx = self.mx

        tls: None | str
        tls = self.tls

        smtp_code: int | None
        smtp_code = self.smtp_code

        enhanced_code: None | str
        enhanced_code = self.enhanced_code

        reply = self.reply

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "at": at,
                "mx": mx,
                "tls": tls,
                "smtp_code": smtp_code,
                "enhanced_code": enhanced_code,
                "reply": reply,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        def _parse_mx(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        mx = _parse_mx(d.pop("mx"))

        def _parse_tls(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        tls = _parse_tls(d.pop("tls"))

        def _parse_smtp_code(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        smtp_code = _parse_smtp_code(d.pop("smtp_code"))

        def _parse_enhanced_code(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        enhanced_code = _parse_enhanced_code(d.pop("enhanced_code"))

        reply = d.pop("reply")

        message_attempt = cls(
            at=at,
            mx=mx,
            tls=tls,
            smtp_code=smtp_code,
            enhanced_code=enhanced_code,
            reply=reply,
        )

        message_attempt.additional_properties = d
        return message_attempt

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
