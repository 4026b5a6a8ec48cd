from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.export_kind import ExportKind, check_export_kind
from ..models.export_status import ExportStatus, check_export_status

T = TypeVar("T", bound="Export")


@_attrs_define
class Export:
    """A list as a CSV file

    Attributes:
        id (str):
        kind (ExportKind):
        status (ExportStatus):
        rows (int): rows written so far
        size_bytes (int):
        is_cut (bool): the list has more rows than a file holds
        created_at (datetime.datetime):
        finished_at (datetime.datetime | None):
        expires_at (datetime.datetime | None): when the file is removed
    """

    id: str
    kind: ExportKind
    status: ExportStatus
    rows: int
    size_bytes: int
    is_cut: bool
    created_at: datetime.datetime
    finished_at: datetime.datetime | None
    expires_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind: str = self.kind

        status: str = self.status

        rows = self.rows

        size_bytes = self.size_bytes

        is_cut = self.is_cut

        created_at = self.created_at.isoformat()

        finished_at: None | str
        if isinstance(self.finished_at, datetime.datetime):
            finished_at = self.finished_at.isoformat()
        else:
            finished_at = self.finished_at

        expires_at: None | str
        if isinstance(self.expires_at, datetime.datetime):
            expires_at = self.expires_at.isoformat()
        else:
            expires_at = self.expires_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "status": status,
                "rows": rows,
                "size_bytes": size_bytes,
                "is_cut": is_cut,
                "created_at": created_at,
                "finished_at": finished_at,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        kind = check_export_kind(d.pop("kind"))

        status = check_export_status(d.pop("status"))

        rows = d.pop("rows")

        size_bytes = d.pop("size_bytes")

        is_cut = d.pop("is_cut")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_finished_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                finished_at_type_0 = datetime.datetime.fromisoformat(data)

                return finished_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        finished_at = _parse_finished_at(d.pop("finished_at"))

        def _parse_expires_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expires_at_type_0 = datetime.datetime.fromisoformat(data)

                return expires_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        export = cls(
            id=id,
            kind=kind,
            status=status,
            rows=rows,
            size_bytes=size_bytes,
            is_cut=is_cut,
            created_at=created_at,
            finished_at=finished_at,
            expires_at=expires_at,
        )

        export.additional_properties = d
        return export

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
