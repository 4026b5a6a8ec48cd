from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeAlertRuleRequest")


@_attrs_define
class ChangeAlertRuleRequest:
    """
    Attributes:
        threshold (float | Unset): in the unit of the kind (docs/alerts.md)
        enabled (bool | Unset): false also ends its open alerts
        mail (bool | Unset): the owners get mail
        chat (bool | Unset): the chat of the alert settings is told
    """

    threshold: float | Unset = UNSET
    enabled: bool | Unset = UNSET
    mail: bool | Unset = UNSET
    chat: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        threshold = self.threshold

        enabled = self.enabled

        mail = self.mail

        chat = self.chat

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if threshold is not UNSET:
            field_dict["threshold"] = threshold
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
        threshold = d.pop("threshold", UNSET)

        enabled = d.pop("enabled", UNSET)

        mail = d.pop("mail", UNSET)

        chat = d.pop("chat", UNSET)

        change_alert_rule_request = cls(
            threshold=threshold,
            enabled=enabled,
            mail=mail,
            chat=chat,
        )

        return change_alert_rule_request
