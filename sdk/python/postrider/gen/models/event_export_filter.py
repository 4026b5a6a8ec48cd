from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.event_export_filter_type import (
    EventExportFilterType,
    check_event_export_filter_type,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="EventExportFilter")


@_attrs_define
class EventExportFilter:
    """
    Attributes:
        types (list[EventExportFilterType] | Unset):
        message_id (str | Unset): `msg_…`
        since (datetime.datetime | Unset):
        until (datetime.datetime | Unset):
    """

    types: list[EventExportFilterType] | Unset = UNSET
    message_id: str | Unset = UNSET
    since: datetime.datetime | Unset = UNSET
    until: datetime.datetime | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        types: list[str] | Unset = UNSET
        if not isinstance(self.types, Unset):
            types = []
            for types_item_data in self.types:
                types_item: str = types_item_data
                types.append(types_item)

        message_id = self.message_id

        since: str | Unset = UNSET
        if not isinstance(self.since, Unset):
            since = self.since.isoformat()

        until: str | Unset = UNSET
        if not isinstance(self.until, Unset):
            until = self.until.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if types is not UNSET:
            field_dict["types"] = types
        if message_id is not UNSET:
            field_dict["message_id"] = message_id
        if since is not UNSET:
            field_dict["since"] = since
        if until is not UNSET:
            field_dict["until"] = until

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        _types = d.pop("types", UNSET)
        types: list[EventExportFilterType] | Unset = UNSET
        if _types is not UNSET:
            types = []
            for types_item_data in _types:
                types_item = check_event_export_filter_type(types_item_data)

                types.append(types_item)

        message_id = d.pop("message_id", UNSET)

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

        event_export_filter = cls(
            types=types,
            message_id=message_id,
            since=since,
            until=until,
        )

        return event_export_filter
