from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.event_type import EventType, check_event_type

if TYPE_CHECKING:
    from ..models.event_data import EventData


T = TypeVar("T", bound="Event")


@_attrs_define
class Event:
    """An event of a message

    Attributes:
        id (str):
        type_ (EventType):
        message_id (str):
        campaign_id (None | str):
        recipient (str):
        domain (str):
        occurred_at (datetime.datetime):
        data (EventData): click: `url`, `user_agent`, `ip`, `machine_click`; open: `user_agent`, `ip`, `machine_open`;
            bounce: `kind`, `class`, `smtp_code`, `enhanced_code`, `diagnostic`, `source`; complaint: `feedback_type`,
            `source`
    """

    id: str
    type_: EventType
    message_id: str
    campaign_id: None | str
    recipient: str
    domain: str
    occurred_at: datetime.datetime
    data: EventData
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        type_: str = self.type_

        message_id = self.message_id

        campaign_id: None | str
        campaign_id = self.campaign_id

        recipient = self.recipient

        domain = self.domain

        occurred_at = self.occurred_at.isoformat()

        data = self.data.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "type": type_,
                "message_id": message_id,
                "campaign_id": campaign_id,
                "recipient": recipient,
                "domain": domain,
                "occurred_at": occurred_at,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event_data import EventData  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        type_ = check_event_type(d.pop("type"))

        message_id = d.pop("message_id")

        def _parse_campaign_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        campaign_id = _parse_campaign_id(d.pop("campaign_id"))

        recipient = d.pop("recipient")

        domain = d.pop("domain")

        occurred_at = datetime.datetime.fromisoformat(d.pop("occurred_at"))

        data = EventData.from_dict(d.pop("data"))

        event = cls(
            id=id,
            type_=type_,
            message_id=message_id,
            campaign_id=campaign_id,
            recipient=recipient,
            domain=domain,
            occurred_at=occurred_at,
            data=data,
        )

        event.additional_properties = d
        return event

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
