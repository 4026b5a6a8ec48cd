from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.whoami_result_user_role import (
    WhoamiResultUserRole,
    check_whoami_result_user_role,
)

T = TypeVar("T", bound="WhoamiResultUser")


@_attrs_define
class WhoamiResultUser:
    """with the token of a signed-in person

    Attributes:
        id (str):
        email (str):
        role (WhoamiResultUserRole):
        created_at (datetime.datetime):
    """

    id: str
    email: str
    role: WhoamiResultUserRole
    created_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        email = self.email

        role: str = self.role

        created_at = self.created_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "email": email,
                "role": role,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        email = d.pop("email")

        role = check_whoami_result_user_role(d.pop("role"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        whoami_result_user = cls(
            id=id,
            email=email,
            role=role,
            created_at=created_at,
        )

        whoami_result_user.additional_properties = d
        return whoami_result_user

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
