from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.template_version_content_variable import TemplateVersionContentVariable


T = TypeVar("T", bound="TemplateVersionContent")


@_attrs_define
class TemplateVersionContent:
    """What a template says at one version

    Attributes:
        version (int):
        subject (str):
        created_at (datetime.datetime):
        created_by (None | str): an email address, or the id of an API key; null for versions from before this was kept
        restored_from (int | None): the version whose content this is again
        html (None | str):
        text (None | str):
        variables (list[TemplateVersionContentVariable]):
    """

    version: int
    subject: str
    created_at: datetime.datetime
    created_by: None | str
    restored_from: int | None
    html: None | str
    text: None | str
    variables: list[TemplateVersionContentVariable]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        version = self.version

        subject = self.subject

        created_at = self.created_at.isoformat()

        created_by: None | str
        created_by = self.created_by

        restored_from: int | None
        restored_from = self.restored_from

        html: None | str
        html = self.html

        text: None | str
        text = self.text

        variables = []
        for variables_item_data in self.variables:
            variables_item = variables_item_data.to_dict()
            variables.append(variables_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "version": version,
                "subject": subject,
                "created_at": created_at,
                "created_by": created_by,
                "restored_from": restored_from,
                "html": html,
                "text": text,
                "variables": variables,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.template_version_content_variable import (
            TemplateVersionContentVariable,  # noqa: PLC0415
        )

        d = dict(src_dict)
        version = d.pop("version")

        subject = d.pop("subject")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_created_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        created_by = _parse_created_by(d.pop("created_by"))

        def _parse_restored_from(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        restored_from = _parse_restored_from(d.pop("restored_from"))

        def _parse_html(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        html = _parse_html(d.pop("html"))

        def _parse_text(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        text = _parse_text(d.pop("text"))

        variables = []
        _variables = d.pop("variables")
        for variables_item_data in _variables:
            variables_item = TemplateVersionContentVariable.from_dict(variables_item_data)

            variables.append(variables_item)

        template_version_content = cls(
            version=version,
            subject=subject,
            created_at=created_at,
            created_by=created_by,
            restored_from=restored_from,
            html=html,
            text=text,
            variables=variables,
        )

        template_version_content.additional_properties = d
        return template_version_content

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
