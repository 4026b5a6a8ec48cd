from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.event_export_filter import EventExportFilter


T = TypeVar("T", bound="EventExportRequest")


@_attrs_define
class EventExportRequest:
    """
    Attributes:
        kind (Literal['events']):
        filter_ (EventExportFilter | Unset):
    """

    kind: Literal["events"]
    filter_: EventExportFilter | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        filter_: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter_, Unset):
            filter_ = self.filter_.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
            }
        )
        if filter_ is not UNSET:
            field_dict["filter"] = filter_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event_export_filter import EventExportFilter  # noqa: PLC0415

        d = dict(src_dict)
        kind = cast(Literal["events"], d.pop("kind"))
        if kind != "events":
            raise ValueError(f"kind must match const 'events', got '{kind}'")

        _filter_ = d.pop("filter", UNSET)
        filter_: EventExportFilter | Unset
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = EventExportFilter.from_dict(_filter_)

        event_export_request = cls(
            kind=kind,
            filter_=filter_,
        )

        return event_export_request
