from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ProviderFiguresLimits")


@_attrs_define
class ProviderFiguresLimits:
    """of this service for all of its customers together

    Attributes:
        connections (int): most SMTP connections at a time
        per_minute (int): most messages a minute
        learned_from (None | str): the reply that lowered them last, or asked for a pause; null at the values with which
            we begin
        suspended_until (datetime.datetime | None): until when the provider wants no mail from us; null while it takes
            mail
    """

    connections: int
    per_minute: int
    learned_from: None | str
    suspended_until: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        connections = self.connections

        per_minute = self.per_minute

        learned_from: None | str
        learned_from = self.learned_from

        suspended_until: None | str
        if isinstance(self.suspended_until, datetime.datetime):
            suspended_until = self.suspended_until.isoformat()
        else:
            suspended_until = self.suspended_until

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "connections": connections,
                "per_minute": per_minute,
                "learned_from": learned_from,
                "suspended_until": suspended_until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        connections = d.pop("connections")

        per_minute = d.pop("per_minute")

        def _parse_learned_from(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        learned_from = _parse_learned_from(d.pop("learned_from"))

        def _parse_suspended_until(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                suspended_until_type_0 = datetime.datetime.fromisoformat(data)

                return suspended_until_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        suspended_until = _parse_suspended_until(d.pop("suspended_until"))

        provider_figures_limits = cls(
            connections=connections,
            per_minute=per_minute,
            learned_from=learned_from,
            suspended_until=suspended_until,
        )

        provider_figures_limits.additional_properties = d
        return provider_figures_limits

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
