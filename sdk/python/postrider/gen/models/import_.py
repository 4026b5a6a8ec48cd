from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.import_status import ImportStatus, check_import_status

if TYPE_CHECKING:
    from ..models.import_error import ImportError_


T = TypeVar("T", bound="Import")


@_attrs_define
class Import:
    """A bulk import of contacts

    Attributes:
        id (str):
        status (ImportStatus):
        total (int): rows read so far
        created (int):
        updated (int):
        skipped (int):
        failed (int):
        errors (list[ImportError_]):
        list_id (None | str):
        progress (float): processed part of the file, 0 to 1
        created_at (datetime.datetime):
        finished_at (datetime.datetime | None):
    """

    id: str
    status: ImportStatus
    total: int
    created: int
    updated: int
    skipped: int
    failed: int
    errors: list[ImportError_]
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

        errors = []
        for errors_item_data in self.errors:
            errors_item = errors_item_data.to_dict()
            errors.append(errors_item)

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
                "errors": errors,
                "list_id": list_id,
                "progress": progress,
                "created_at": created_at,
                "finished_at": finished_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_error import ImportError_  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        status = check_import_status(d.pop("status"))

        total = d.pop("total")

        created = d.pop("created")

        updated = d.pop("updated")

        skipped = d.pop("skipped")

        failed = d.pop("failed")

        errors = []
        _errors = d.pop("errors")
        for errors_item_data in _errors:
            errors_item = ImportError_.from_dict(errors_item_data)

            errors.append(errors_item)

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

        import_ = cls(
            id=id,
            status=status,
            total=total,
            created=created,
            updated=updated,
            skipped=skipped,
            failed=failed,
            errors=errors,
            list_id=list_id,
            progress=progress,
            created_at=created_at,
            finished_at=finished_at,
        )

        import_.additional_properties = d
        return import_

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
