from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.change_template_request_test_data import ChangeTemplateRequestTestData
    from ..models.change_template_request_variable import ChangeTemplateRequestVariable


T = TypeVar("T", bound="ChangeTemplateRequest")


@_attrs_define
class ChangeTemplateRequest:
    """
    Attributes:
        name (str | Unset):
        subject (str | Unset):
        html (None | str | Unset):
        text (None | str | Unset):
        variables (list[ChangeTemplateRequestVariable] | Unset):
        test_data (ChangeTemplateRequestTestData | Unset): values that previews in the dashboard use, at most 64 KiB as
            JSON; mail never does
        expected_version (int | Unset): refuse the change with 409 when the template is at another version: somebody
            else saved meanwhile
    """

    name: str | Unset = UNSET
    subject: str | Unset = UNSET
    html: None | str | Unset = UNSET
    text: None | str | Unset = UNSET
    variables: list[ChangeTemplateRequestVariable] | Unset = UNSET
    test_data: ChangeTemplateRequestTestData | Unset = UNSET
    expected_version: int | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        subject = self.subject

        html: None | str | Unset
        if isinstance(self.html, Unset):
            html = UNSET
        else:
            html = self.html

        text: None | str | Unset
        if isinstance(self.text, Unset):
            text = UNSET
        else:
            text = self.text

        variables: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.variables, Unset):
            variables = []
            for variables_item_data in self.variables:
                variables_item = variables_item_data.to_dict()
                variables.append(variables_item)

        test_data: dict[str, Any] | Unset = UNSET
        if not isinstance(self.test_data, Unset):
            test_data = self.test_data.to_dict()

        expected_version = self.expected_version

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if subject is not UNSET:
            field_dict["subject"] = subject
        if html is not UNSET:
            field_dict["html"] = html
        if text is not UNSET:
            field_dict["text"] = text
        if variables is not UNSET:
            field_dict["variables"] = variables
        if test_data is not UNSET:
            field_dict["test_data"] = test_data
        if expected_version is not UNSET:
            field_dict["expected_version"] = expected_version

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.change_template_request_test_data import (
            ChangeTemplateRequestTestData,  # noqa: PLC0415
        )
        from ..models.change_template_request_variable import (
            ChangeTemplateRequestVariable,  # noqa: PLC0415
        )

        d = dict(src_dict)
        name = d.pop("name", UNSET)

        subject = d.pop("subject", UNSET)

        def _parse_html(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        html = _parse_html(d.pop("html", UNSET))

        def _parse_text(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        text = _parse_text(d.pop("text", UNSET))

        _variables = d.pop("variables", UNSET)
        variables: list[ChangeTemplateRequestVariable] | Unset = UNSET
        if _variables is not UNSET:
            variables = []
            for variables_item_data in _variables:
                variables_item = ChangeTemplateRequestVariable.from_dict(variables_item_data)

                variables.append(variables_item)

        _test_data = d.pop("test_data", UNSET)
        test_data: ChangeTemplateRequestTestData | Unset
        if isinstance(_test_data, Unset):
            test_data = UNSET
        else:
            test_data = ChangeTemplateRequestTestData.from_dict(_test_data)

        expected_version = d.pop("expected_version", UNSET)

        change_template_request = cls(
            name=name,
            subject=subject,
            html=html,
            text=text,
            variables=variables,
            test_data=test_data,
            expected_version=expected_version,
        )

        return change_template_request
