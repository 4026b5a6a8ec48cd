from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.analytics_period_day import AnalyticsPeriodDay
    from ..models.analytics_period_totals import AnalyticsPeriodTotals


T = TypeVar("T", bound="AnalyticsPeriod")


@_attrs_define
class AnalyticsPeriod:
    """
    Attributes:
        from_ (datetime.date):
        to (datetime.date):
        totals (AnalyticsPeriodTotals):
        days (list[AnalyticsPeriodDay]): oldest first, also those without mail
    """

    from_: datetime.date
    to: datetime.date
    totals: AnalyticsPeriodTotals
    days: list[AnalyticsPeriodDay]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from_ = self.from_.isoformat()

        to = self.to.isoformat()

        totals = self.totals.to_dict()

        days = []
        for days_item_data in self.days:
            days_item = days_item_data.to_dict()
            days.append(days_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "from": from_,
                "to": to,
                "totals": totals,
                "days": days,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.analytics_period_day import AnalyticsPeriodDay  # noqa: PLC0415
        from ..models.analytics_period_totals import AnalyticsPeriodTotals  # noqa: PLC0415

        d = dict(src_dict)
        from_ = datetime.date.fromisoformat(d.pop("from"))

        to = datetime.date.fromisoformat(d.pop("to"))

        totals = AnalyticsPeriodTotals.from_dict(d.pop("totals"))

        days = []
        _days = d.pop("days")
        for days_item_data in _days:
            days_item = AnalyticsPeriodDay.from_dict(days_item_data)

            days.append(days_item)

        analytics_period = cls(
            from_=from_,
            to=to,
            totals=totals,
            days=days,
        )

        analytics_period.additional_properties = d
        return analytics_period

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
