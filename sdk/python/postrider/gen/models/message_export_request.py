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
    from ..models.message_export_filter import MessageExportFilter


T = TypeVar("T", bound="MessageExportRequest")


@_attrs_define
class MessageExportRequest:
    """
    Attributes:
        kind (Literal['messages']):
        filter_ (MessageExportFilter | Unset):
    """

    kind: Literal["messages"]
    filter_: MessageExportFilter | Unset = UNSET

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
        from ..models.message_export_filter import MessageExportFilter  # noqa: PLC0415

        d = dict(src_dict)
        kind = cast(Literal["messages"], d.pop("kind"))
        if kind != "messages":
            raise ValueError(f"kind must match const 'messages', got '{kind}'")

        _filter_ = d.pop("filter", UNSET)
        filter_: MessageExportFilter | Unset
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = MessageExportFilter.from_dict(_filter_)

        message_export_request = cls(
            kind=kind,
            filter_=filter_,
        )

        return message_export_request
