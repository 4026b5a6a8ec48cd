from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.campaign_report_by import CampaignReportBy, check_campaign_report_by

if TYPE_CHECKING:
    from ..models.campaign_report_link import CampaignReportLink
    from ..models.campaign_report_point import CampaignReportPoint


T = TypeVar("T", bound="CampaignReport")


@_attrs_define
class CampaignReport:
    """Opens and clicks over time, and links by recipients

    Attributes:
        by (CampaignReportBy): how long a point is
        points (list[CampaignReportPoint]): messages first opened or clicked then, by people and by machines; oldest
            first
        links (list[CampaignReportLink]):
    """

    by: CampaignReportBy
    points: list[CampaignReportPoint]
    links: list[CampaignReportLink]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        by: str = self.by

        points = []
        for points_item_data in self.points:
            points_item = points_item_data.to_dict()
            points.append(points_item)

        links = []
        for links_item_data in self.links:
            links_item = links_item_data.to_dict()
            links.append(links_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "by": by,
                "points": points,
                "links": links,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.campaign_report_link import CampaignReportLink  # noqa: PLC0415
        from ..models.campaign_report_point import CampaignReportPoint  # noqa: PLC0415

        d = dict(src_dict)
        by = check_campaign_report_by(d.pop("by"))

        points = []
        _points = d.pop("points")
        for points_item_data in _points:
            points_item = CampaignReportPoint.from_dict(points_item_data)

            points.append(points_item)

        links = []
        _links = d.pop("links")
        for links_item_data in _links:
            links_item = CampaignReportLink.from_dict(links_item_data)

            links.append(links_item)

        campaign_report = cls(
            by=by,
            points=points,
            links=links,
        )

        campaign_report.additional_properties = d
        return campaign_report

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
