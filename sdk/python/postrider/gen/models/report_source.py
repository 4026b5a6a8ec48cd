from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.report_source_dkim import ReportSourceDkim, check_report_source_dkim
from ..models.report_source_spf import ReportSourceSpf, check_report_source_spf

T = TypeVar("T", bound="ReportSource")


@_attrs_define
class ReportSource:
    """Messages or sessions of one source with one result

    Attributes:
        source (None | str): IP address that sent; null: the report does not say, or all sources beyond the 99 largest
        count (int): messages (dmarc), failed sessions (tls)
        result (None | str): dmarc: pass, fail; tls: the result type (RFC 8460); null: all sources beyond the largest
        dkim (None | ReportSourceDkim): dmarc: whether DKIM passed for a domain aligned with From
        spf (None | ReportSourceSpf): the same of SPF
        disposition (None | str): dmarc: what the receiver did: none, quarantine, reject
        header_from (None | str): dmarc: domain in From
        auth (None | str): dmarc: what passed and failed, for which domains
        reason (None | str): dmarc: why the policy was not applied; tls: reason code of the failure
        receiving_mx (None | str): tls: mail server of the domain
    """

    source: None | str
    count: int
    result: None | str
    dkim: None | ReportSourceDkim
    spf: None | ReportSourceSpf
    disposition: None | str
    header_from: None | str
    auth: None | str
    reason: None | str
    receiving_mx: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        source: None | str
        source = self.source

        count = self.count

        result: None | str
        result = self.result

        dkim: None | str
        if isinstance(self.dkim, str):
            dkim = self.dkim
        else:
            dkim = self.dkim

        spf: None | str
        if isinstance(self.spf, str):
            spf = self.spf
        else:
            spf = self.spf

        disposition: None | str
        disposition = self.disposition

        header_from: None | str
        header_from = self.header_from

        auth: None | str
        auth = self.auth

        reason: None | str
        reason = self.reason

        receiving_mx: None | str
        receiving_mx = self.receiving_mx

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "source": source,
                "count": count,
                "result": result,
                "dkim": dkim,
                "spf": spf,
                "disposition": disposition,
                "header_from": header_from,
                "auth": auth,
                "reason": reason,
                "receiving_mx": receiving_mx,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_source(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        source = _parse_source(d.pop("source"))

        count = d.pop("count")

        def _parse_result(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        result = _parse_result(d.pop("result"))

        def _parse_dkim(data: object) -> None | ReportSourceDkim:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                dkim_type_0 = check_report_source_dkim(data)

                return dkim_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ReportSourceDkim, data)

        dkim = _parse_dkim(d.pop("dkim"))

        def _parse_spf(data: object) -> None | ReportSourceSpf:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                spf_type_0 = check_report_source_spf(data)

                return spf_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ReportSourceSpf, data)

        spf = _parse_spf(d.pop("spf"))

        def _parse_disposition(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        disposition = _parse_disposition(d.pop("disposition"))

        def _parse_header_from(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        header_from = _parse_header_from(d.pop("header_from"))

        def _parse_auth(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        auth = _parse_auth(d.pop("auth"))

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        def _parse_receiving_mx(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        receiving_mx = _parse_receiving_mx(d.pop("receiving_mx"))

        report_source = cls(
            source=source,
            count=count,
            result=result,
            dkim=dkim,
            spf=spf,
            disposition=disposition,
            header_from=header_from,
            auth=auth,
            reason=reason,
            receiving_mx=receiving_mx,
        )

        report_source.additional_properties = d
        return report_source

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
