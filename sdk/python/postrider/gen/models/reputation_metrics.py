from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ReputationMetrics")


@_attrs_define
class ReputationMetrics:
    """
    Attributes:
        sent (int): messages with their first attempt in this period
        delivered (int):
        bounced (int):
        hard_bounced (int):
        complained (int):
        opened (int): messages that a person opened
        clicked (int): messages in which a person clicked a link
        machine_opened (int): opens by scanners and prefetchers, not counted in rates
        machine_clicked (int):
        unsubscribed (int):
        delivery_rate (float):
        bounce_rate (float):
        complaint_rate (float): of delivered messages
        open_rate (float):
        click_rate (float):
    """

    sent: int
    delivered: int
    bounced: int
    hard_bounced: int
    complained: int
    opened: int
    clicked: int
    machine_opened: int
    machine_clicked: int
    unsubscribed: int
    delivery_rate: float
    bounce_rate: float
    complaint_rate: float
    open_rate: float
    click_rate: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        sent = self.sent

        delivered = self.delivered

        bounced = self.bounced

        hard_bounced = self.hard_bounced

        complained = self.complained

        opened = self.opened

        clicked = self.clicked

        machine_opened = self.machine_opened

        machine_clicked = self.machine_clicked

        unsubscribed = self.unsubscribed

        delivery_rate = self.delivery_rate

        bounce_rate = self.bounce_rate

        complaint_rate = self.complaint_rate

        open_rate = self.open_rate

        click_rate = self.click_rate

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "sent": sent,
                "delivered": delivered,
                "bounced": bounced,
                "hard_bounced": hard_bounced,
                "complained": complained,
                "opened": opened,
                "clicked": clicked,
                "machine_opened": machine_opened,
                "machine_clicked": machine_clicked,
                "unsubscribed": unsubscribed,
                "delivery_rate": delivery_rate,
                "bounce_rate": bounce_rate,
                "complaint_rate": complaint_rate,
                "open_rate": open_rate,
                "click_rate": click_rate,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        sent = d.pop("sent")

        delivered = d.pop("delivered")

        bounced = d.pop("bounced")

        hard_bounced = d.pop("hard_bounced")

        complained = d.pop("complained")

        opened = d.pop("opened")

        clicked = d.pop("clicked")

        machine_opened = d.pop("machine_opened")

        machine_clicked = d.pop("machine_clicked")

        unsubscribed = d.pop("unsubscribed")

        delivery_rate = d.pop("delivery_rate")

        bounce_rate = d.pop("bounce_rate")

        complaint_rate = d.pop("complaint_rate")

        open_rate = d.pop("open_rate")

        click_rate = d.pop("click_rate")

        reputation_metrics = cls(
            sent=sent,
            delivered=delivered,
            bounced=bounced,
            hard_bounced=hard_bounced,
            complained=complained,
            opened=opened,
            clicked=clicked,
            machine_opened=machine_opened,
            machine_clicked=machine_clicked,
            unsubscribed=unsubscribed,
            delivery_rate=delivery_rate,
            bounce_rate=bounce_rate,
            complaint_rate=complaint_rate,
            open_rate=open_rate,
            click_rate=click_rate,
        )

        reputation_metrics.additional_properties = d
        return reputation_metrics

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
