from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.preflight_check_id import PreflightCheckId, check_preflight_check_id
from ..models.preflight_check_status import (
    PreflightCheckStatus,
    check_preflight_check_status,
)

T = TypeVar("T", bound="PreflightCheck")


@_attrs_define
class PreflightCheck:
    """One sender rule

    Attributes:
        id (PreflightCheckId):
        status (PreflightCheckStatus): pass: As it should be; warn: It may do harm, or could not be found out; fail:
            Mailbox providers refuse such mail or call it spam
        found (str):
        expected (str):
        fix (None | str): what to do; null: nothing
        docs (str): where the documentation says why
    """

    id: PreflightCheckId
    status: PreflightCheckStatus
    found: str
    expected: str
    fix: None | str
    docs: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id: str = self.id

        status: str = self.status

        found = self.found

        expected = self.expected

        fix: None | str
        fix = self.fix

        docs = self.docs

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "status": status,
                "found": found,
                "expected": expected,
                "fix": fix,
                "docs": docs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = check_preflight_check_id(d.pop("id"))

        status = check_preflight_check_status(d.pop("status"))

        found = d.pop("found")

        expected = d.pop("expected")

        def _parse_fix(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        fix = _parse_fix(d.pop("fix"))

        docs = d.pop("docs")

        preflight_check = cls(
            id=id,
            status=status,
            found=found,
            expected=expected,
            fix=fix,
            docs=docs,
        )

        preflight_check.additional_properties = d
        return preflight_check

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
