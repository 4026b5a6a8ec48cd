from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.analytics_annotation import AnalyticsAnnotation
    from ..models.analytics_group import AnalyticsGroup
    from ..models.analytics_limit import AnalyticsLimit
    from ..models.analytics_period import AnalyticsPeriod
    from ..models.analytics_previous import AnalyticsPrevious


T = TypeVar("T", bound="Analytics")


@_attrs_define
class Analytics:
    """What became of the messages that were accepted in a range of days

    Attributes:
        period (AnalyticsPeriod):
        previous (AnalyticsPrevious): as many days, right before
        groups (list[AnalyticsGroup] | None): those with the most mail; null without group_by
        annotations (list[AnalyticsAnnotation]): what may explain a change, oldest first
        limits (list[AnalyticsLimit]): rates from which mailbox providers, or services like this one, act
    """

    period: AnalyticsPeriod
    previous: AnalyticsPrevious
    groups: list[AnalyticsGroup] | None
    annotations: list[AnalyticsAnnotation]
    limits: list[AnalyticsLimit]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        period = self.period.to_dict()

        previous = self.previous.to_dict()

        groups: list[dict[str, Any]] | None
        if isinstance(self.groups, list):
            groups = []
            for groups_type_0_item_data in self.groups:
                groups_type_0_item = groups_type_0_item_data.to_dict()
                groups.append(groups_type_0_item)

        else:
            groups = self.groups

        annotations = []
        for annotations_item_data in self.annotations:
            annotations_item = annotations_item_data.to_dict()
            annotations.append(annotations_item)

        limits = []
        for limits_item_data in self.limits:
            limits_item = limits_item_data.to_dict()
            limits.append(limits_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "period": period,
                "previous": previous,
                "groups": groups,
                "annotations": annotations,
                "limits": limits,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.analytics_annotation import AnalyticsAnnotation  # noqa: PLC0415
        from ..models.analytics_group import AnalyticsGroup  # noqa: PLC0415
        from ..models.analytics_limit import AnalyticsLimit  # noqa: PLC0415
        from ..models.analytics_period import AnalyticsPeriod  # noqa: PLC0415
        from ..models.analytics_previous import AnalyticsPrevious  # noqa: PLC0415

        d = dict(src_dict)
        period = AnalyticsPeriod.from_dict(d.pop("period"))

        previous = AnalyticsPrevious.from_dict(d.pop("previous"))

        def _parse_groups(data: object) -> list[AnalyticsGroup] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                groups_type_0 = []
                _groups_type_0 = data
                for groups_type_0_item_data in _groups_type_0:
                    groups_type_0_item = AnalyticsGroup.from_dict(groups_type_0_item_data)

                    groups_type_0.append(groups_type_0_item)

                return groups_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[AnalyticsGroup] | None, data)

        groups = _parse_groups(d.pop("groups"))

        annotations = []
        _annotations = d.pop("annotations")
        for annotations_item_data in _annotations:
            annotations_item = AnalyticsAnnotation.from_dict(annotations_item_data)

            annotations.append(annotations_item)

        limits = []
        _limits = d.pop("limits")
        for limits_item_data in _limits:
            limits_item = AnalyticsLimit.from_dict(limits_item_data)

            limits.append(limits_item)

        analytics = cls(
            period=period,
            previous=previous,
            groups=groups,
            annotations=annotations,
            limits=limits,
        )

        analytics.additional_properties = d
        return analytics

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
