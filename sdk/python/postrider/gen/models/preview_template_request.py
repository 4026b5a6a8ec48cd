from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.preview_template_request_variables import (
        PreviewTemplateRequestVariables,
    )


T = TypeVar("T", bound="PreviewTemplateRequest")


@_attrs_define
class PreviewTemplateRequest:
    """
    Attributes:
        variables (PreviewTemplateRequestVariables | Unset):
    """

    variables: PreviewTemplateRequestVariables | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        variables: dict[str, Any] | Unset = UNSET
        if not isinstance(self.variables, Unset):
            variables = self.variables.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if variables is not UNSET:
            field_dict["variables"] = variables

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.preview_template_request_variables import (
            PreviewTemplateRequestVariables,  # noqa: PLC0415
        )

        d = dict(src_dict)
        _variables = d.pop("variables", UNSET)
        variables: PreviewTemplateRequestVariables | Unset
        if isinstance(_variables, Unset):
            variables = UNSET
        else:
            variables = PreviewTemplateRequestVariables.from_dict(_variables)

        preview_template_request = cls(
            variables=variables,
        )

        return preview_template_request
