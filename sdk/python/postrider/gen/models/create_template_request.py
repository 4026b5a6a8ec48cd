from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.create_template_request_test_data import CreateTemplateRequestTestData
    from ..models.create_template_request_variable import CreateTemplateRequestVariable


T = TypeVar("T", bound="CreateTemplateRequest")


@_attrs_define
class CreateTemplateRequest:
    """
    Attributes:
        name (str):
        subject (str):
        html (None | str | Unset):
        text (None | str | Unset):
        variables (list[CreateTemplateRequestVariable] | Unset):
        test_data (CreateTemplateRequestTestData | Unset): values that previews in the dashboard use, at most 64 KiB as
            JSON; mail never does
    """

    name: str
    subject: str
    html: None | str | Unset = UNSET
    text: None | str | Unset = UNSET
    variables: list[CreateTemplateRequestVariable] | Unset = UNSET
    test_data: CreateTemplateRequestTestData | Unset = UNSET

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

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "subject": subject,
            }
        )
        if html is not UNSET:
            field_dict["html"] = html
        if text is not UNSET:
            field_dict["text"] = text
        if variables is not UNSET:
            field_dict["variables"] = variables
        if test_data is not UNSET:
            field_dict["test_data"] = test_data

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.create_template_request_test_data import (
            CreateTemplateRequestTestData,  # noqa: PLC0415
        )
        from ..models.create_template_request_variable import (
            CreateTemplateRequestVariable,  # noqa: PLC0415
        )

        d = dict(src_dict)
        name = d.pop("name")

        subject = d.pop("subject")

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
        variables: list[CreateTemplateRequestVariable] | Unset = UNSET
        if _variables is not UNSET:
            variables = []
            for variables_item_data in _variables:
                variables_item = CreateTemplateRequestVariable.from_dict(variables_item_data)

                variables.append(variables_item)

        _test_data = d.pop("test_data", UNSET)
        test_data: CreateTemplateRequestTestData | Unset
        if isinstance(_test_data, Unset):
            test_data = UNSET
        else:
            test_data = CreateTemplateRequestTestData.from_dict(_test_data)

        create_template_request = cls(
            name=name,
            subject=subject,
            html=html,
            text=text,
            variables=variables,
            test_data=test_data,
        )

        return create_template_request
