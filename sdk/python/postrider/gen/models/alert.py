from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.alert_kind import AlertKind, check_alert_kind

T = TypeVar("T", bound="Alert")


@_attrs_define
class Alert:
    """Something that reached its threshold

    Attributes:
        id (str):
        rule_id (str):
        kind (AlertKind):
        subject (str): name of the domain, URL of the webhook, name of the key or of the account
        domain_id (None | str):
        value (float): as it opened, in the unit of the kind
        threshold (float):
        text (str): the same as one sentence
        opened_at (datetime.datetime):
        resolved_at (datetime.datetime | None):
    """

    id: str
    rule_id: str
    kind: AlertKind
    subject: str
    domain_id: None | str
    value: float
    threshold: float
    text: str
    opened_at: datetime.datetime
    resolved_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        rule_id = self.rule_id

        kind: str = self.kind

        subject = self.subject

        domain_id: None | str
        domain_id = self.domain_id

        value = self.value

        threshold = self.threshold

        text = self.text

        opened_at = self.opened_at.isoformat()

        resolved_at: None | str
        if isinstance(self.resolved_at, datetime.datetime):
            resolved_at = self.resolved_at.isoformat()
        else:
            resolved_at = self.resolved_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "rule_id": rule_id,
                "kind": kind,
                "subject": subject,
                "domain_id": domain_id,
                "value": value,
                "threshold": threshold,
                "text": text,
                "opened_at": opened_at,
                "resolved_at": resolved_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        rule_id = d.pop("rule_id")

        kind = check_alert_kind(d.pop("kind"))

        subject = d.pop("subject")

        def _parse_domain_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        domain_id = _parse_domain_id(d.pop("domain_id"))

        value = d.pop("value")

        threshold = d.pop("threshold")

        text = d.pop("text")

        opened_at = datetime.datetime.fromisoformat(d.pop("opened_at"))

        def _parse_resolved_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                resolved_at_type_0 = datetime.datetime.fromisoformat(data)

                return resolved_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        resolved_at = _parse_resolved_at(d.pop("resolved_at"))

        alert = cls(
            id=id,
            rule_id=rule_id,
            kind=kind,
            subject=subject,
            domain_id=domain_id,
            value=value,
            threshold=threshold,
            text=text,
            opened_at=opened_at,
            resolved_at=resolved_at,
        )

        alert.additional_properties = d
        return alert

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
