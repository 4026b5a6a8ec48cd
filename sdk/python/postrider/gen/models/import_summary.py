from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.import_summary_status import (
    ImportSummaryStatus,
    check_import_summary_status,
)

T = TypeVar("T", bound="ImportSummary")


@_attrs_define
class ImportSummary:
    """A bulk import without the errors of its rows

    Attributes:
        id (str):
        status (ImportSummaryStatus):
        total (int): rows read so far
        created (int):
        updated (int):
        skipped (int):
        failed (int):
        list_id (None | str):
        progress (float): processed part of the file, 0 to 1
        created_at (datetime.datetime):
        finished_at (datetime.datetime | None):
    """

    id: str
    status: ImportSummaryStatus
    total: int
    created: int
    updated: int
    skipped: int
    failed: int
    list_id: None | str
    progress: float
    created_at: datetime.datetime
    finished_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status: str = self.status

        total = self.total

        created = self.created

        updated = self.updated

        skipped = self.skipped

        failed = self.failed

        list_id: None | str
        list_id = self.list_id

        progress = self.progress

        created_at = self.created_at.isoformat()

        finished_at: None | str
        if isinstance(self.finished_at, datetime.datetime):
            finished_at = self.finished_at.isoformat()
        else:
            finished_at = self.finished_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "status": status,
                "total": total,
                "created": created,
                "updated": updated,
                "skipped": skipped,
                "failed": failed,
                "list_id": list_id,
                "progress": progress,
                "created_at": created_at,
                "finished_at": finished_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        status = check_import_summary_status(d.pop("status"))

        total = d.pop("total")

        created = d.pop("created")

        updated = d.pop("updated")

        skipped = d.pop("skipped")

        failed = d.pop("failed")

        def _parse_list_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        list_id = _parse_list_id(d.pop("list_id"))

        progress = d.pop("progress")

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

        import_summary = cls(
            id=id,
            status=status,
            total=total,
            created=created,
            updated=updated,
            skipped=skipped,
            failed=failed,
            list_id=list_id,
            progress=progress,
            created_at=created_at,
            finished_at=finished_at,
        )

        import_summary.additional_properties = d
        return import_summary

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
