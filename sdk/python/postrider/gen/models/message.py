from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.message_status import MessageStatus, check_message_status
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.message_attempt import MessageAttempt
    from ..models.message_event import MessageEvent
    from ..models.message_recipient import MessageRecipient
    from ..models.message_tag import MessageTag


T = TypeVar("T", bound="Message")


@_attrs_define
class Message:
    """A message, its attempts and its events in order

    Attributes:
        id (str):
        from_ (str):
        to (str): the recipient of this message
        subject (str):
        status (MessageStatus):
        reason (None | str): the reason in the answer to the submission
        defer_reason (None | str): why the message waits
        deferred_until (datetime.datetime | None):
        domain (str):
        campaign_id (None | str):
        template_id (None | str):
        tags (list[MessageTag]):
        created_at (datetime.datetime):
        header_to (list[str]): whom the header To names: with one recipient, `to`
        cc (list[str]):
        bcc (list[str]):
        attempts (list[MessageAttempt]):
        events (list[MessageEvent]):
        recipients (list[MessageRecipient] | Unset): only with several recipients: each of them in the order of to, cc,
            bcc
    """

    id: str
    from_: str
    to: str
    subject: str
    status: MessageStatus
    reason: None | str
    defer_reason: None | str
    deferred_until: datetime.datetime | None
    domain: str
    campaign_id: None | str
    template_id: None | str
    tags: list[MessageTag]
    created_at: datetime.datetime
    header_to: list[str]
    cc: list[str]
    bcc: list[str]
    attempts: list[MessageAttempt]
    events: list[MessageEvent]
    recipients: list[MessageRecipient] | Unset = UNSET
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

        header_to = self.header_to

        cc = self.cc

        bcc = self.bcc

        attempts = []
        for attempts_item_data in self.attempts:
            attempts_item = attempts_item_data.to_dict()
            attempts.append(attempts_item)

        events = []
        for events_item_data in self.events:
            events_item = events_item_data.to_dict()
            events.append(events_item)

        recipients: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.recipients, Unset):
            recipients = []
            for recipients_item_data in self.recipients:
                recipients_item = recipients_item_data.to_dict()
                recipients.append(recipients_item)

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
                "header_to": header_to,
                "cc": cc,
                "bcc": bcc,
                "attempts": attempts,
                "events": events,
            }
        )
        if recipients is not UNSET:
            field_dict["recipients"] = recipients

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.message_attempt import MessageAttempt  # noqa: PLC0415
        from ..models.message_event import MessageEvent  # noqa: PLC0415
        from ..models.message_recipient import MessageRecipient  # noqa: PLC0415
        from ..models.message_tag import MessageTag  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        from_ = d.pop("from")

        to = d.pop("to")

        subject = d.pop("subject")

        status = check_message_status(d.pop("status"))

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
            tags_item = MessageTag.from_dict(tags_item_data)

            tags.append(tags_item)

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        header_to = cast(list[str], d.pop("header_to"))

        cc = cast(list[str], d.pop("cc"))

        bcc = cast(list[str], d.pop("bcc"))

        attempts = []
        _attempts = d.pop("attempts")
        for attempts_item_data in _attempts:
            attempts_item = MessageAttempt.from_dict(attempts_item_data)

            attempts.append(attempts_item)

        events = []
        _events = d.pop("events")
        for events_item_data in _events:
            events_item = MessageEvent.from_dict(events_item_data)

            events.append(events_item)

        _recipients = d.pop("recipients", UNSET)
        recipients: list[MessageRecipient] | Unset = UNSET
        if _recipients is not UNSET:
            recipients = []
            for recipients_item_data in _recipients:
                recipients_item = MessageRecipient.from_dict(recipients_item_data)

                recipients.append(recipients_item)

        message = cls(
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
            header_to=header_to,
            cc=cc,
            bcc=bcc,
            attempts=attempts,
            events=events,
            recipients=recipients,
        )

        message.additional_properties = d
        return message

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
