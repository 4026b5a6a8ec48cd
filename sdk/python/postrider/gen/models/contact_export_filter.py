from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.contact_export_filter_status import (
    ContactExportFilterStatus,
    check_contact_export_filter_status,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="ContactExportFilter")


@_attrs_define
class ContactExportFilter:
    """
    Attributes:
        email (str | Unset): only this address
        list_id (str | Unset): `lst_…`
        tag (str | Unset):
        status (ContactExportFilterStatus | Unset):
    """

    email: str | Unset = UNSET
    list_id: str | Unset = UNSET
    tag: str | Unset = UNSET
    status: ContactExportFilterStatus | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        email = self.email

        list_id = self.list_id

        tag = self.tag

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if email is not UNSET:
            field_dict["email"] = email
        if list_id is not UNSET:
            field_dict["list_id"] = list_id
        if tag is not UNSET:
            field_dict["tag"] = tag
        if status is not UNSET:
            field_dict["status"] = status

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        email = d.pop("email", UNSET)

        list_id = d.pop("list_id", UNSET)

        tag = d.pop("tag", UNSET)

        _status = d.pop("status", UNSET)
        status: ContactExportFilterStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = check_contact_export_filter_status(_status)

        contact_export_filter = cls(
            email=email,
            list_id=list_id,
            tag=tag,
            status=status,
        )

        return contact_export_filter
