from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.analytics_limit_rate import AnalyticsLimitRate, check_analytics_limit_rate

T = TypeVar("T", bound="AnalyticsLimit")


@_attrs_define
class AnalyticsLimit:
    """
    Attributes:
        rate (AnalyticsLimitRate):
        value (float):
        label (str):
        source (str):
    """

    rate: AnalyticsLimitRate
    value: float
    label: str
    source: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        rate: str = self.rate

        value = self.value

        label = self.label

        source = self.source

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "rate": rate,
                "value": value,
                "label": label,
                "source": source,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        rate = check_analytics_limit_rate(d.pop("rate"))

        value = d.pop("value")

        label = d.pop("label")

        source = d.pop("source")

        analytics_limit = cls(
            rate=rate,
            value=value,
            label=label,
            source=source,
        )

        analytics_limit.additional_properties = d
        return analytics_limit

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
