from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MessageAttemptCertificate")


@_attrs_define
class MessageAttemptCertificate:
    """
    Attributes:
        subject (str):
        issuer (str):
        expires_at (datetime.datetime):
        fingerprint (str): SHA-256, as in `AB:CD:…`
    """

    subject: str
    issuer: str
    expires_at: datetime.datetime
    fingerprint: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        subject = self.subject

        issuer = self.issuer

        expires_at = self.expires_at.isoformat()

        fingerprint = self.fingerprint

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "subject": subject,
                "issuer": issuer,
                "expires_at": expires_at,
                "fingerprint": fingerprint,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        subject = d.pop("subject")

        issuer = d.pop("issuer")

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        fingerprint = d.pop("fingerprint")

        message_attempt_certificate = cls(
            subject=subject,
            issuer=issuer,
            expires_at=expires_at,
            fingerprint=fingerprint,
        )

        message_attempt_certificate.additional_properties = d
        return message_attempt_certificate

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
