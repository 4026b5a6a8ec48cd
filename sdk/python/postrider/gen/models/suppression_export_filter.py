from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.suppression_export_filter_reason import (
    SuppressionExportFilterReason,
    check_suppression_export_filter_reason,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="SuppressionExportFilter")


@_attrs_define
class SuppressionExportFilter:
    """
    Attributes:
        email (str | Unset): only this address
        reason (SuppressionExportFilterReason | Unset):
        since (datetime.datetime | Unset):
        until (datetime.datetime | Unset):
    """

    email: str | Unset = UNSET
    reason: SuppressionExportFilterReason | Unset = UNSET
    since: datetime.datetime | Unset = UNSET
    until: datetime.datetime | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        email = self.email

        reason: str | Unset = UNSET
        if not isinstance(self.reason, Unset):
            reason = self.reason

        since: str | Unset = UNSET
        if not isinstance(self.since, Unset):
            since = self.since.isoformat()

        until: str | Unset = UNSET
        if not isinstance(self.until, Unset):
            until = self.until.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if email is not UNSET:
            field_dict["email"] = email
        if reason is not UNSET:
            field_dict["reason"] = reason
        if since is not UNSET:
            field_dict["since"] = since
        if until is not UNSET:
            field_dict["until"] = until

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        email = d.pop("email", UNSET)

        _reason = d.pop("reason", UNSET)
        reason: SuppressionExportFilterReason | Unset
        if isinstance(_reason, Unset):
            reason = UNSET
        else:
            reason = check_suppression_export_filter_reason(_reason)

        _since = d.pop("since", UNSET)
        since: datetime.datetime | Unset
        if isinstance(_since, Unset):
            since = UNSET
        else:
            since = datetime.datetime.fromisoformat(_since)

        _until = d.pop("until", UNSET)
        until: datetime.datetime | Unset
        if isinstance(_until, Unset):
            until = UNSET
        else:
            until = datetime.datetime.fromisoformat(_until)

        suppression_export_filter = cls(
            email=email,
            reason=reason,
            since=since,
            until=until,
        )

        return suppression_export_filter
