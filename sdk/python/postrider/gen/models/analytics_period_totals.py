from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="AnalyticsPeriodTotals")


@_attrs_define
class AnalyticsPeriodTotals:
    """
    Attributes:
        accepted (int):
        delivered (int):
        bounced (int):
        expired (int):
        dropped (int):
        cancelled (int):
        waiting (int): neither ended nor given up yet
        complained (int):
        opened (int): messages that a person opened
        clicked (int): messages in which a person clicked a link
        unsubscribed (int):
        bounce_rate (float | None): of what was delivered or bounced; null without any
        complaint_rate (float | None): of what was delivered; null without any
    """

    accepted: int
    delivered: int
    bounced: int
    expired: int
    dropped: int
    cancelled: int
    waiting: int
    complained: int
    opened: int
    clicked: int
    unsubscribed: int
    bounce_rate: float | None
    complaint_rate: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        accepted = self.accepted

        delivered = self.delivered

        bounced = self.bounced

        expired = self.expired

        dropped = self.dropped

        cancelled = self.cancelled

        waiting = self.waiting

        complained = self.complained

        opened = self.opened

        clicked = self.clicked

        unsubscribed = self.unsubscribed

        bounce_rate: float | None
        bounce_rate = self.bounce_rate

        complaint_rate: float | None
        complaint_rate = self.complaint_rate

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "accepted": accepted,
                "delivered": delivered,
                "bounced": bounced,
                "expired": expired,
                "dropped": dropped,
                "cancelled": cancelled,
                "waiting": waiting,
                "complained": complained,
                "opened": opened,
                "clicked": clicked,
                "unsubscribed": unsubscribed,
                "bounce_rate": bounce_rate,
                "complaint_rate": complaint_rate,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        accepted = d.pop("accepted")

        delivered = d.pop("delivered")

        bounced = d.pop("bounced")

        expired = d.pop("expired")

        dropped = d.pop("dropped")

        cancelled = d.pop("cancelled")

        waiting = d.pop("waiting")

        complained = d.pop("complained")

        opened = d.pop("opened")

        clicked = d.pop("clicked")

        unsubscribed = d.pop("unsubscribed")

        def _parse_bounce_rate(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        bounce_rate = _parse_bounce_rate(d.pop("bounce_rate"))

        def _parse_complaint_rate(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        complaint_rate = _parse_complaint_rate(d.pop("complaint_rate"))

        analytics_period_totals = cls(
            accepted=accepted,
            delivered=delivered,
            bounced=bounced,
            expired=expired,
            dropped=dropped,
            cancelled=cancelled,
            waiting=waiting,
            complained=complained,
            opened=opened,
            clicked=clicked,
            unsubscribed=unsubscribed,
            bounce_rate=bounce_rate,
            complaint_rate=complaint_rate,
        )

        analytics_period_totals.additional_properties = d
        return analytics_period_totals

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
