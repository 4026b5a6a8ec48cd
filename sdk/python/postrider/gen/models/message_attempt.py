from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.message_attempt_tls_policy import (
    MessageAttemptTlsPolicy,
    check_message_attempt_tls_policy,
)

if TYPE_CHECKING:
    from ..models.message_attempt_certificate import MessageAttemptCertificate
    from ..models.message_attempt_source import MessageAttemptSource


T = TypeVar("T", bound="MessageAttempt")


@_attrs_define
class MessageAttempt:
    """
    Attributes:
        at (datetime.datetime):
        mx (None | str):
        source (MessageAttemptSource | None): the address that it left from, one of a pool; null for the system’s own
        tls (None | str): TLS version and cipher, as in `TLSv1.3 TLS_AES_256_GCM_SHA384`; null for plain text
        tls_verified (bool | None): whether the certificate proved the server: signed by a trusted authority for its
            name; null for plain text
        tls_policy (MessageAttemptTlsPolicy | None): the policy of the recipient’s domain that was enforced; null
            without one
        certificate (MessageAttemptCertificate | None): what the server showed; null for plain text
        smtp_code (int | None):
        enhanced_code (None | str):
        reply (str):
    """

    at: datetime.datetime
    mx: None | str
    source: MessageAttemptSource | None
    tls: None | str
    tls_verified: bool | None
    tls_policy: MessageAttemptTlsPolicy | None
    certificate: MessageAttemptCertificate | None
    smtp_code: int | None
    enhanced_code: None | str
    reply: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.message_attempt_certificate import MessageAttemptCertificate  # noqa: PLC0415
        from ..models.message_attempt_source import MessageAttemptSource  # noqa: PLC0415

        at = self.at.isoformat()

        mx: None | str
        mx = self.mx

        source: dict[str, Any] | None
        if isinstance(self.source, MessageAttemptSource):
            source = self.source.to_dict()
        else:
            source = self.source

        tls: None | str
        tls = self.tls

        tls_verified: bool | None
        tls_verified = self.tls_verified

        tls_policy: None | str
        if isinstance(self.tls_policy, str):
            tls_policy = self.tls_policy
        else:
            tls_policy = self.tls_policy

        certificate: dict[str, Any] | None
        if isinstance(self.certificate, MessageAttemptCertificate):
            certificate = self.certificate.to_dict()
        else:
            certificate = self.certificate

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
                "source": source,
                "tls": tls,
                "tls_verified": tls_verified,
                "tls_policy": tls_policy,
                "certificate": certificate,
                "smtp_code": smtp_code,
                "enhanced_code": enhanced_code,
                "reply": reply,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.message_attempt_certificate import MessageAttemptCertificate  # noqa: PLC0415
        from ..models.message_attempt_source import MessageAttemptSource  # noqa: PLC0415

        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        def _parse_mx(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        mx = _parse_mx(d.pop("mx"))

        def _parse_source(data: object) -> MessageAttemptSource | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                source_type_0 = MessageAttemptSource.from_dict(data)

                return source_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MessageAttemptSource | None, data)

        source = _parse_source(d.pop("source"))

        def _parse_tls(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        tls = _parse_tls(d.pop("tls"))

        def _parse_tls_verified(data: object) -> bool | None:
            if data is None:
                return data
            return cast(bool | None, data)

        tls_verified = _parse_tls_verified(d.pop("tls_verified"))

        def _parse_tls_policy(data: object) -> MessageAttemptTlsPolicy | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                tls_policy_type_0 = check_message_attempt_tls_policy(data)

                return tls_policy_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MessageAttemptTlsPolicy | None, data)

        tls_policy = _parse_tls_policy(d.pop("tls_policy"))

        def _parse_certificate(data: object) -> MessageAttemptCertificate | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                certificate_type_0 = MessageAttemptCertificate.from_dict(data)

                return certificate_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MessageAttemptCertificate | None, data)

        certificate = _parse_certificate(d.pop("certificate"))

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
            source=source,
            tls=tls,
            tls_verified=tls_verified,
            tls_policy=tls_policy,
            certificate=certificate,
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
