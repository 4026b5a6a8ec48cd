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
    from ..models.suppression_export_filter import SuppressionExportFilter


T = TypeVar("T", bound="SuppressionExportRequest")


@_attrs_define
class SuppressionExportRequest:
    """
    Attributes:
        kind (Literal['suppressions']):
        filter_ (SuppressionExportFilter | Unset):
    """

    kind: Literal["suppressions"]
    filter_: SuppressionExportFilter | Unset = UNSET

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
        from ..models.suppression_export_filter import SuppressionExportFilter  # noqa: PLC0415

        d = dict(src_dict)
        kind = cast(Literal["suppressions"], d.pop("kind"))
        if kind != "suppressions":
            raise ValueError(f"kind must match const 'suppressions', got '{kind}'")

        _filter_ = d.pop("filter", UNSET)
        filter_: SuppressionExportFilter | Unset
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = SuppressionExportFilter.from_dict(_filter_)

        suppression_export_request = cls(
            kind=kind,
            filter_=filter_,
        )

        return suppression_export_request
