from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.contact_create_status import (
    ContactCreateStatus,
    check_contact_create_status,
)
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.contact_create_attributes import ContactCreateAttributes


T = TypeVar("T", bound="ContactCreate")


@_attrs_define
class ContactCreate:
    """A person; the address is compared without letter case

    Attributes:
        email (str):
        first_name (None | str | Unset):
        last_name (None | str | Unset):
        attributes (ContactCreateAttributes | Unset): custom fields; available as template variables in campaigns
        tags (list[str] | Unset):
        status (ContactCreateStatus | Unset):
        lists (list[str] | Unset): ids of the lists that the contact is on
    """

    email: str
    first_name: None | str | Unset = UNSET
    last_name: None | str | Unset = UNSET
    attributes: ContactCreateAttributes | Unset = UNSET
    tags: list[str] | Unset = UNSET
    status: ContactCreateStatus | Unset = UNSET
    lists: list[str] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        email = self.email

        first_name: None | str | Unset
        if isinstance(self.first_name, Unset):
            first_name = UNSET
        else:
            first_name = self.first_name

        last_name: None | str | Unset
        if isinstance(self.last_name, Unset):
            last_name = UNSET
        else:
            last_name = self.last_name

        attributes: dict[str, Any] | Unset = UNSET
        if not isinstance(self.attributes, Unset):
            attributes = self.attributes.to_dict()

        tags: list[str] | Unset = UNSET
        if not isinstance(self.tags, Unset):
            tags = self.tags

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status

        lists: list[str] | Unset = UNSET
        if not isinstance(self.lists, Unset):
            lists = self.lists

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "email": email,
            }
        )
        if first_name is not UNSET:
            field_dict["first_name"] = first_name
        if last_name is not UNSET:
            field_dict["last_name"] = last_name
        if attributes is not UNSET:
            field_dict["attributes"] = attributes
        if tags is not UNSET:
            field_dict["tags"] = tags
        if status is not UNSET:
            field_dict["status"] = status
        if lists is not UNSET:
            field_dict["lists"] = lists

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.contact_create_attributes import ContactCreateAttributes  # noqa: PLC0415

        d = dict(src_dict)
        email = d.pop("email")

        def _parse_first_name(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        first_name = _parse_first_name(d.pop("first_name", UNSET))

        def _parse_last_name(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        last_name = _parse_last_name(d.pop("last_name", UNSET))

        _attributes = d.pop("attributes", UNSET)
        attributes: ContactCreateAttributes | Unset
        if isinstance(_attributes, Unset):
            attributes = UNSET
        else:
            attributes = ContactCreateAttributes.from_dict(_attributes)

        tags = cast(list[str], d.pop("tags", UNSET))

        _status = d.pop("status", UNSET)
        status: ContactCreateStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = check_contact_create_status(_status)

        lists = cast(list[str], d.pop("lists", UNSET))

        contact_create = cls(
            email=email,
            first_name=first_name,
            last_name=last_name,
            attributes=attributes,
            tags=tags,
            status=status,
            lists=lists,
        )

        return contact_create
