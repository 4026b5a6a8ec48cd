from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.message_summary_status import (
    MessageSummaryStatus,
    check_message_summary_status,
)

if TYPE_CHECKING:
    from ..models.message_summary_tag import MessageSummaryTag


T = TypeVar("T", bound="MessageSummary")


@_attrs_define
class MessageSummary:
    """A message

    Attributes:
        id (str):
        from_ (str):
        to (str):
        subject (str):
        status (MessageSummaryStatus):
        reason (None | str): the reason in the answer to the submission
        defer_reason (None | str): why the message waits
        deferred_until (datetime.datetime | None):
        domain (str):
        campaign_id (None | str):
        template_id (None | str):
        tags (list[MessageSummaryTag]):
        created_at (datetime.datetime):
    """

    id: str
    from_: str
    to: str
    subject: str
    status: MessageSummaryStatus
    reason: None | str
    defer_reason: None | str
    deferred_until: datetime.datetime | None
    domain: str
    campaign_id: None | str
    template_id: None | str
    tags: list[MessageSummaryTag]
    created_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        from_ = self.from_

        to = self.to

        subject = self.subject

        status: str = self.status

        reason: None | str
        reason = self.reason

        defer_reason: None | str
        defer_reason = self.defer_reason

        deferred_until: None | str
        if isinstance(self.deferred_until, datetime.datetime):
            deferred_until = self.deferred_until.isoformat()
        else:
            deferred_until = self.deferred_until

        domain = self.domain

        campaign_id: None | str
        campaign_id = self.campaign_id

        template_id: None | str
        template_id = self.template_id

        tags = []
        for tags_item_data in self.tags:
            tags_item = tags_item_data.to_dict()
            tags.append(tags_item)

        created_at = self.created_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "from": from_,
                "to": to,
                "subject": subject,
                "status": status,
                "reason": reason,
                "defer_reason": defer_reason,
                "deferred_until": deferred_until,
                "domain": domain,
                "campaign_id": campaign_id,
                "template_id": template_id,
                "tags": tags,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.message_summary_tag import MessageSummaryTag  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        from_ = d.pop("from")

        to = d.pop("to")

        subject = d.pop("subject")

        status = check_message_summary_status(d.pop("status"))

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        def _parse_defer_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        defer_reason = _parse_defer_reason(d.pop("defer_reason"))

        def _parse_deferred_until(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                deferred_until_type_0 = datetime.datetime.fromisoformat(data)

                return deferred_until_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        deferred_until = _parse_deferred_until(d.pop("deferred_until"))

        domain = d.pop("domain")

        def _parse_campaign_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        campaign_id = _parse_campaign_id(d.pop("campaign_id"))

        def _parse_template_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        template_id = _parse_template_id(d.pop("template_id"))

        tags = []
        _tags = d.pop("tags")
        for tags_item_data in _tags:
            tags_item = MessageSummaryTag.from_dict(tags_item_data)

            tags.append(tags_item)

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        message_summary = cls(
            id=id,
            from_=from_,
            to=to,
            subject=subject,
            status=status,
            reason=reason,
            defer_reason=defer_reason,
            deferred_until=deferred_until,
            domain=domain,
            campaign_id=campaign_id,
            template_id=template_id,
            tags=tags,
            created_at=created_at,
        )

        message_summary.additional_properties = d
        return message_summary

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
