from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.send_campaign_test_result_status import (
    SendCampaignTestResultStatus,
    check_send_campaign_test_result_status,
)

T = TypeVar("T", bound="SendCampaignTestResult")


@_attrs_define
class SendCampaignTestResult:
    """
    Attributes:
        message_id (str):
        status (SendCampaignTestResultStatus):
    """

    message_id: str
    status: SendCampaignTestResultStatus
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        message_id = self.message_id

        status: str = self.status

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "message_id": message_id,
                "status": status,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        message_id = d.pop("message_id")

        status = check_send_campaign_test_result_status(d.pop("status"))

        send_campaign_test_result = cls(
            message_id=message_id,
            status=status,
        )

        send_campaign_test_result.additional_properties = d
        return send_campaign_test_result

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
