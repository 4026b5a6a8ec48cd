from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.alert_kind import AlertKind, check_alert_kind
from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateAlertRuleRequest")


@_attrs_define
class CreateAlertRuleRequest:
    """
    Attributes:
        kind (AlertKind):
        threshold (float): in the unit of the kind (docs/alerts.md)
        domain_id (None | str | Unset): only for kinds about domains; null: every domain that has no rule of this kind
            for itself
        enabled (bool | Unset):  Default: True.
        mail (bool | Unset): the owners get mail Default: True.
        chat (bool | Unset): the chat of the alert settings is told Default: True.
    """

    kind: AlertKind
    threshold: float
    domain_id: None | str | Unset = UNSET
    enabled: bool | Unset = True
    mail: bool | Unset = True
    chat: bool | Unset = True

    def to_dict(self) -> dict[str, Any]:
        kind: str = self.kind

        threshold = self.threshold

        domain_id: None | str | Unset
        if isinstance(self.domain_id, Unset):
            domain_id = UNSET
        else:
            domain_id = self.domain_id

        enabled = self.enabled

        mail = self.mail

        chat = self.chat

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "threshold": threshold,
            }
        )
        if domain_id is not UNSET:
            field_dict["domain_id"] = domain_id
        if enabled is not UNSET:
            field_dict["enabled"] = enabled
        if mail is not UNSET:
            field_dict["mail"] = mail
        if chat is not UNSET:
            field_dict["chat"] = chat

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = check_alert_kind(d.pop("kind"))

        threshold = d.pop("threshold")

        def _parse_domain_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        domain_id = _parse_domain_id(d.pop("domain_id", UNSET))

        enabled = d.pop("enabled", UNSET)

        mail = d.pop("mail", UNSET)

        chat = d.pop("chat", UNSET)

        create_alert_rule_request = cls(
            kind=kind,
            threshold=threshold,
            domain_id=domain_id,
            enabled=enabled,
            mail=mail,
            chat=chat,
        )

        return create_alert_rule_request
