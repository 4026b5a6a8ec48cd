from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.message_export_filter_status import (
    MessageExportFilterStatus,
    check_message_export_filter_status,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="MessageExportFilter")


@_attrs_define
class MessageExportFilter:
    """
    Attributes:
        to (str | Unset): the recipient’s address or a part of it, at least 3 characters; letter case plays no role
        q (str | Unset): words that are all in the subject, whole and in any order; letter case plays no role
        status (MessageExportFilterStatus | Unset):
        tag (str | Unset): `name`: has such a tag; `name=value`: with this value
        domain (str | Unset): name of the sending domain
        campaign_id (str | Unset): `cmp_…`
        since (datetime.datetime | Unset): created from this time on
        until (datetime.datetime | Unset): created before this time
    """

    to: str | Unset = UNSET
    q: str | Unset = UNSET
    status: MessageExportFilterStatus | Unset = UNSET
    tag: str | Unset = UNSET
    domain: str | Unset = UNSET
    campaign_id: str | Unset = UNSET
    since: datetime.datetime | Unset = UNSET
    until: datetime.datetime | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        to = self.to

        q = self.q

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status

        tag = self.tag

        domain = self.domain

        campaign_id = self.campaign_id

        since: str | Unset = UNSET
        if not isinstance(self.since, Unset):
            since = self.since.isoformat()

        until: str | Unset = UNSET
        if not isinstance(self.until, Unset):
            until = self.until.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if to is not UNSET:
            field_dict["to"] = to
        if q is not UNSET:
            field_dict["q"] = q
        if status is not UNSET:
            field_dict["status"] = status
        if tag is not UNSET:
            field_dict["tag"] = tag
        if domain is not UNSET:
            field_dict["domain"] = domain
        if campaign_id is not UNSET:
            field_dict["campaign_id"] = campaign_id
        if since is not UNSET:
            field_dict["since"] = since
        if until is not UNSET:
            field_dict["until"] = until

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        to = d.pop("to", UNSET)

        q = d.pop("q", UNSET)

        _status = d.pop("status", UNSET)
        status: MessageExportFilterStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = check_message_export_filter_status(_status)

        tag = d.pop("tag", UNSET)

        domain = d.pop("domain", UNSET)

        campaign_id = d.pop("campaign_id", UNSET)

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

        message_export_filter = cls(
            to=to,
            q=q,
            status=status,
            tag=tag,
            domain=domain,
            campaign_id=campaign_id,
            since=since,
            until=until,
        )

        return message_export_filter
