from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.domain_brake_state import DomainBrakeState, check_domain_brake_state

if TYPE_CHECKING:
    from ..models.domain_brake_numbers import DomainBrakeNumbers


T = TypeVar("T", bound="DomainBrake")


@_attrs_define
class DomainBrake:
    """The same-day brake: docs/deliverability.md

    Attributes:
        state (DomainBrakeState): bulk: campaign mail waits; all: transactional mail too, but for one message a minute.
            Ends at the next 00:00 UTC
        since (datetime.datetime | None):
        reason (None | str): what happened, what waits and until when
        numbers (DomainBrakeNumbers | None): the outcomes of the day at the moment of the decision
    """

    state: DomainBrakeState
    since: datetime.datetime | None
    reason: None | str
    numbers: DomainBrakeNumbers | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.domain_brake_numbers import DomainBrakeNumbers  # noqa: PLC0415

        state: str = self.state

        since: None | str
        if isinstance(self.since, datetime.datetime):
            since = self.since.isoformat()
        else:
            since = self.since

        reason: None | str
        reason = self.reason

        numbers: dict[str, Any] | None
        if isinstance(self.numbers, DomainBrakeNumbers):
            numbers = self.numbers.to_dict()
        else:
            numbers = self.numbers

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "state": state,
                "since": since,
                "reason": reason,
                "numbers": numbers,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.domain_brake_numbers import DomainBrakeNumbers  # noqa: PLC0415

        d = dict(src_dict)
        state = check_domain_brake_state(d.pop("state"))

        def _parse_since(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                since_type_0 = datetime.datetime.fromisoformat(data)

                return since_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        since = _parse_since(d.pop("since"))

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        def _parse_numbers(data: object) -> DomainBrakeNumbers | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                numbers_type_0 = DomainBrakeNumbers.from_dict(data)

                return numbers_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(DomainBrakeNumbers | None, data)

        numbers = _parse_numbers(d.pop("numbers"))

        domain_brake = cls(
            state=state,
            since=since,
            reason=reason,
            numbers=numbers,
        )

        domain_brake.additional_properties = d
        return domain_brake

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
