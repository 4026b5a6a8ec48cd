from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.import_request_contact import ImportRequestContact


T = TypeVar("T", bound="ImportRequest")


@_attrs_define
class ImportRequest:
    """
    Attributes:
        contacts (list[ImportRequestContact]):
        list_id (str | Unset): `lst_…`
        update_existing (bool | Unset):
    """

    contacts: list[ImportRequestContact]
    list_id: str | Unset = UNSET
    update_existing: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        contacts = []
        for contacts_item_data in self.contacts:
            contacts_item = contacts_item_data.to_dict()
            contacts.append(contacts_item)

        list_id = self.list_id

        update_existing = self.update_existing

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "contacts": contacts,
            }
        )
        if list_id is not UNSET:
            field_dict["list_id"] = list_id
        if update_existing is not UNSET:
            field_dict["update_existing"] = update_existing

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_request_contact import ImportRequestContact  # noqa: PLC0415

        d = dict(src_dict)
        contacts = []
        _contacts = d.pop("contacts")
        for contacts_item_data in _contacts:
            contacts_item = ImportRequestContact.from_dict(contacts_item_data)

            contacts.append(contacts_item)

        list_id = d.pop("list_id", UNSET)

        update_existing = d.pop("update_existing", UNSET)

        import_request = cls(
            contacts=contacts,
            list_id=list_id,
            update_existing=update_existing,
        )

        return import_request
