from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeTemplateRequestVariable")


@_attrs_define
class ChangeTemplateRequestVariable:
    """
    Attributes:
        name (str):
        required (bool | Unset):  Default: False.
        default (bool | float | None | str | Unset):
    """

    name: str
    required: bool | Unset = False
    default: bool | float | None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        required = self.required

        default: bool | float | None | str | Unset
        if isinstance(self.default, Unset):
            default = UNSET
        else:
            default = self.default

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
            }
        )
        if required is not UNSET:
            field_dict["required"] = required
        if default is not UNSET:
            field_dict["default"] = default

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        required = d.pop("required", UNSET)

        def _parse_default(data: object) -> bool | float | None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | float | None | str | Unset, data)

        default = _parse_default(d.pop("default", UNSET))

        change_template_request_variable = cls(
            name=name,
            required=required,
            default=default,
        )

        return change_template_request_variable
