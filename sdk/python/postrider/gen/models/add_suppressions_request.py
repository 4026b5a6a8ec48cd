from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.add_suppressions_request_reason import (
    AddSuppressionsRequestReason,
    check_add_suppressions_request_reason,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="AddSuppressionsRequest")


@_attrs_define
class AddSuppressionsRequest:
    """
    Attributes:
        email (str | Unset):
        emails (list[str] | Unset):
        reason (AddSuppressionsRequestReason | Unset):
    """

    email: str | Unset = UNSET
    emails: list[str] | Unset = UNSET
    reason: AddSuppressionsRequestReason | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        email = self.email

        emails: list[str] | Unset = UNSET
        if not isinstance(self.emails, Unset):
            emails = self.emails

        reason: str | Unset = UNSET
        if not isinstance(self.reason, Unset):
            reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if email is not UNSET:
            field_dict["email"] = email
        if emails is not UNSET:
            field_dict["emails"] = emails
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        email = d.pop("email", UNSET)

        emails = cast(list[str], d.pop("emails", UNSET))

        _reason = d.pop("reason", UNSET)
        reason: AddSuppressionsRequestReason | Unset
        if isinstance(_reason, Unset):
            reason = UNSET
        else:
            reason = check_add_suppressions_request_reason(_reason)

        add_suppressions_request = cls(
            email=email,
            emails=emails,
            reason=reason,
        )

        return add_suppressions_request
