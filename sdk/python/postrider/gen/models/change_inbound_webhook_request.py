from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeInboundWebhookRequest")


@_attrs_define
class ChangeInboundWebhookRequest:
    """
    Attributes:
        webhook_url (str | Unset): https, without credentials, at a public address
        enabled (bool | Unset):
    """

    webhook_url: str | Unset = UNSET
    enabled: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        webhook_url = self.webhook_url

        enabled = self.enabled

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if webhook_url is not UNSET:
            field_dict["webhook_url"] = webhook_url
        if enabled is not UNSET:
            field_dict["enabled"] = enabled

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        webhook_url = d.pop("webhook_url", UNSET)

        enabled = d.pop("enabled", UNSET)

        change_inbound_webhook_request = cls(
            webhook_url=webhook_url,
            enabled=enabled,
        )

        return change_inbound_webhook_request
