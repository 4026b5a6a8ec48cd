from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="CampaignStats")


@_attrs_define
class CampaignStats:
    """Exact counts; queued to failed add up to the recipients

    Attributes:
        recipients (int):
        queued (int):
        deferred (int):
        dropped (int):
        delivered (int):
        bounced (int):
        expired (int):
        cancelled (int):
        failed (int): their message could not be created; see `GET …/failed`
        complained (int):
        opened (int):
        clicked (int):
        unsubscribed (int):
    """

    recipients: int
    queued: int
    deferred: int
    dropped: int
    delivered: int
    bounced: int
    expired: int
    cancelled: int
    failed: int
    complained: int
    opened: int
    clicked: int
    unsubscribed: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        recipients = self.recipients

        queued = self.queued

        deferred = self.deferred

        dropped = self.dropped

        delivered = self.delivered

        bounced = self.bounced

        expired = self.expired

        cancelled = self.cancelled

        failed = self.failed

        complained = self.complained

        opened = self.opened

        clicked = self.clicked

        unsubscribed = self.unsubscribed

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "recipients": recipients,
                "queued": queued,
                "deferred": deferred,
                "dropped": dropped,
                "delivered": delivered,
                "bounced": bounced,
                "expired": expired,
                "cancelled": cancelled,
                "failed": failed,
                "complained": complained,
                "opened": opened,
                "clicked": clicked,
                "unsubscribed": unsubscribed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        recipients = d.pop("recipients")

        queued = d.pop("queued")

        deferred = d.pop("deferred")

        dropped = d.pop("dropped")

        delivered = d.pop("delivered")

        bounced = d.pop("bounced")

        expired = d.pop("expired")

        cancelled = d.pop("cancelled")

        failed = d.pop("failed")

        complained = d.pop("complained")

        opened = d.pop("opened")

        clicked = d.pop("clicked")

        unsubscribed = d.pop("unsubscribed")

        campaign_stats = cls(
            recipients=recipients,
            queued=queued,
            deferred=deferred,
            dropped=dropped,
            delivered=delivered,
            bounced=bounced,
            expired=expired,
            cancelled=cancelled,
            failed=failed,
            complained=complained,
            opened=opened,
            clicked=clicked,
            unsubscribed=unsubscribed,
        )

        campaign_stats.additional_properties = d
        return campaign_stats

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
