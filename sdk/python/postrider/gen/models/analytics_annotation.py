from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.analytics_annotation_kind import (
    AnalyticsAnnotationKind,
    check_analytics_annotation_kind,
)

T = TypeVar("T", bound="AnalyticsAnnotation")


@_attrs_define
class AnalyticsAnnotation:
    """
    Attributes:
        at (datetime.datetime):
        kind (AnalyticsAnnotationKind):
        subject (str): name of the domain, or of the campaign
        from_tier (int | None):
        to_tier (int | None):
    """

    at: datetime.datetime
    kind: AnalyticsAnnotationKind
    subject: str
    from_tier: int | None
    to_tier: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        kind: str = self.kind

        subject = self.subject

        from_tier: int | None
        from_tier = self.from_tier

        to_tier: int | None
        to_tier = self.to_tier

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "at": at,
                "kind": kind,
                "subject": subject,
                "from_tier": from_tier,
                "to_tier": to_tier,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        kind = check_analytics_annotation_kind(d.pop("kind"))

        subject = d.pop("subject")

        def _parse_from_tier(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        from_tier = _parse_from_tier(d.pop("from_tier"))

        def _parse_to_tier(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        to_tier = _parse_to_tier(d.pop("to_tier"))

        analytics_annotation = cls(
            at=at,
            kind=kind,
            subject=subject,
            from_tier=from_tier,
            to_tier=to_tier,
        )

        analytics_annotation.additional_properties = d
        return analytics_annotation

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
