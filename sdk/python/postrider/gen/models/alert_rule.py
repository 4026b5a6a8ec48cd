from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.alert_kind import AlertKind, check_alert_kind

T = TypeVar("T", bound="AlertRule")


@_attrs_define
class AlertRule:
    """What is watched, from which value on, and who is told

    Attributes:
        id (str):
        kind (AlertKind):
        domain_id (None | str):
        threshold (float):
        enabled (bool):
        mail (bool):
        chat (bool):
        created_at (datetime.datetime):
    """

    id: str
    kind: AlertKind
    domain_id: None | str
    threshold: float
    enabled: bool
    mail: bool
    chat: bool
    created_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind: str = self.kind

        domain_id: None | str
        domain_id = self.domain_id

        threshold = self.threshold

        enabled = self.enabled

        mail = self.mail

        chat = self.chat

        created_at = self.created_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "domain_id": domain_id,
                "threshold": threshold,
                "enabled": enabled,
                "mail": mail,
                "chat": chat,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        kind = check_alert_kind(d.pop("kind"))

        def _parse_domain_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        domain_id = _parse_domain_id(d.pop("domain_id"))

        threshold = d.pop("threshold")

        enabled = d.pop("enabled")

        mail = d.pop("mail")

        chat = d.pop("chat")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        alert_rule = cls(
            id=id,
            kind=kind,
            domain_id=domain_id,
            threshold=threshold,
            enabled=enabled,
            mail=mail,
            chat=chat,
            created_at=created_at,
        )

        alert_rule.additional_properties = d
        return alert_rule

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
