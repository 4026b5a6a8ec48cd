from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.domain_report_type import DomainReportType, check_domain_report_type

if TYPE_CHECKING:
    from ..models.report_source import ReportSource


T = TypeVar("T", bound="DomainReport")


@_attrs_define
class DomainReport:
    """An aggregate report about a domain

    Attributes:
        type_ (DomainReportType):
        reporter (str): as it calls itself
        report_id (str):
        sender (str): domain in From of the mail that brought the report
        authenticated (bool): whether DMARC of that mail passed; if not, anybody may have written the report
        from_ (datetime.datetime):
        to (datetime.datetime):
        total (int): messages (dmarc), sessions (tls)
        passed (int):
        failed (int):
        sources (list[ReportSource]): the largest first
        received_at (datetime.datetime):
    """

    type_: DomainReportType
    reporter: str
    report_id: str
    sender: str
    authenticated: bool
    from_: datetime.datetime
    to: datetime.datetime
    total: int
    passed: int
    failed: int
    sources: list[ReportSource]
    received_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_: str = self.type_

        reporter = self.reporter

        report_id = self.report_id

        sender = self.sender

        authenticated = self.authenticated

        from_ = self.from_.isoformat()

        to = self.to.isoformat()

        total = self.total

        passed = self.passed

        failed = self.failed

        sources = []
        for sources_item_data in self.sources:
            sources_item = sources_item_data.to_dict()
            sources.append(sources_item)

        received_at = self.received_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "reporter": reporter,
                "report_id": report_id,
                "sender": sender,
                "authenticated": authenticated,
                "from": from_,
                "to": to,
                "total": total,
                "passed": passed,
                "failed": failed,
                "sources": sources,
                "received_at": received_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.report_source import ReportSource  # noqa: PLC0415

        d = dict(src_dict)
        type_ = check_domain_report_type(d.pop("type"))

        reporter = d.pop("reporter")

        report_id = d.pop("report_id")

        sender = d.pop("sender")

        authenticated = d.pop("authenticated")

        from_ = datetime.datetime.fromisoformat(d.pop("from"))

        to = datetime.datetime.fromisoformat(d.pop("to"))

        total = d.pop("total")

        passed = d.pop("passed")

        failed = d.pop("failed")

        sources = []
        _sources = d.pop("sources")
        for sources_item_data in _sources:
            sources_item = ReportSource.from_dict(sources_item_data)

            sources.append(sources_item)

        received_at = datetime.datetime.fromisoformat(d.pop("received_at"))

        domain_report = cls(
            type_=type_,
            reporter=reporter,
            report_id=report_id,
            sender=sender,
            authenticated=authenticated,
            from_=from_,
            to=to,
            total=total,
            passed=passed,
            failed=failed,
            sources=sources,
            received_at=received_at,
        )

        domain_report.additional_properties = d
        return domain_report

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
