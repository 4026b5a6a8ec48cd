from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SendCampaignTestRequest")


@_attrs_define
class SendCampaignTestRequest:
    """
    Attributes:
        to (str): who gets the test
        contact_email (str | Unset): the contact to render it for; default: the first of the audience
    """

    to: str
    contact_email: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        to = self.to

        contact_email = self.contact_email

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "to": to,
            }
        )
        if contact_email is not UNSET:
            field_dict["contact_email"] = contact_email

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        to = d.pop("to")

        contact_email = d.pop("contact_email", UNSET)

        send_campaign_test_request = cls(
            to=to,
            contact_email=contact_email,
        )

        return send_campaign_test_request
