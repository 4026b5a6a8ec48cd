from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.contact_status import ContactStatus, check_contact_status

if TYPE_CHECKING:
    from ..models.contact_attributes import ContactAttributes


T = TypeVar("T", bound="Contact")


@_attrs_define
class Contact:
    """One person of the account

    Attributes:
        id (str):
        email (str):
        first_name (None | str):
        last_name (None | str):
        attributes (ContactAttributes):
        tags (list[str]):
        lists (list[str]): ids of the lists that the contact is on
        status (ContactStatus):
        created_at (datetime.datetime):
        updated_at (datetime.datetime):
    """

    id: str
    email: str
    first_name: None | str
    last_name: None | str
    attributes: ContactAttributes
    tags: list[str]
    lists: list[str]
    status: ContactStatus
    created_at: datetime.datetime
    updated_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        email = self.email

        first_name: None | str
        first_name = self.first_name

        last_name: None | str
        last_name = self.last_name

        attributes = self.attributes.to_dict()

        tags = self.tags

        lists = self.lists

        status: str = self.status

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "email": email,
                "first_name": first_name,
                "last_name": last_name,
                "attributes": attributes,
                "tags": tags,
                "lists": lists,
                "status": status,
                "created_at": created_at,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.contact_attributes import ContactAttributes  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        email = d.pop("email")

        def _parse_first_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        first_name = _parse_first_name(d.pop("first_name"))

        def _parse_last_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_name = _parse_last_name(d.pop("last_name"))

        attributes = ContactAttributes.from_dict(d.pop("attributes"))

        tags = cast(list[str], d.pop("tags"))

        lists = cast(list[str], d.pop("lists"))

        status = check_contact_status(d.pop("status"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        contact = cls(
            id=id,
            email=email,
            first_name=first_name,
            last_name=last_name,
            attributes=attributes,
            tags=tags,
            lists=lists,
            status=status,
            created_at=created_at,
            updated_at=updated_at,
        )

        contact.additional_properties = d
        return contact

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
