from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="RestoreTemplateVersionRequest")


@_attrs_define
class RestoreTemplateVersionRequest:
    """
    Attributes:
        expected_version (int | Unset): refuse the change with 409 when the template is at another version: somebody
            else saved meanwhile
    """

    expected_version: int | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        expected_version = self.expected_version

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if expected_version is not UNSET:
            field_dict["expected_version"] = expected_version

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        expected_version = d.pop("expected_version", UNSET)

        restore_template_version_request = cls(
            expected_version=expected_version,
        )

        return restore_template_version_request
