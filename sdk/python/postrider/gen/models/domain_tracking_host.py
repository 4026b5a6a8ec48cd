from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.domain_tracking_host_status import (
    DomainTrackingHostStatus,
    check_domain_tracking_host_status,
)

T = TypeVar("T", bound="DomainTrackingHost")


@_attrs_define
class DomainTrackingHost:
    """Your own name for links and pixel: docs/deliverability.md

    Attributes:
        name (str):
        status (DomainTrackingHostStatus): off: This installation has no certificates for tracking hosts; its
            administrator can set that up. not_found: Its CNAME record was not found. waiting_for_certificate: Its record
            was found; it goes live with its certificate. live: Links, pixel and unsubscribe page of new mail are there.
            lost: It was live: its record is gone or its certificate has expired; new mail uses the service’s own host
        problem (None | str): what keeps it from being live, or soon will, and the next step
        certificate_expires_at (datetime.datetime | None):
    """

    name: str
    status: DomainTrackingHostStatus
    problem: None | str
    certificate_expires_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        status: str = self.status

        problem: None | str
        problem = self.problem

        certificate_expires_at: None | str
        if isinstance(self.certificate_expires_at, datetime.datetime):
            certificate_expires_at = self.certificate_expires_at.isoformat()
        else:
            certificate_expires_at = self.certificate_expires_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "status": status,
                "problem": problem,
                "certificate_expires_at": certificate_expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        status = check_domain_tracking_host_status(d.pop("status"))

        def _parse_problem(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        problem = _parse_problem(d.pop("problem"))

        def _parse_certificate_expires_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                certificate_expires_at_type_0 = datetime.datetime.fromisoformat(data)

                return certificate_expires_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        certificate_expires_at = _parse_certificate_expires_at(d.pop("certificate_expires_at"))

        domain_tracking_host = cls(
            name=name,
            status=status,
            problem=problem,
            certificate_expires_at=certificate_expires_at,
        )

        domain_tracking_host.additional_properties = d
        return domain_tracking_host

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
