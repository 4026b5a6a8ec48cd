from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.inbound_scan import InboundScan
    from ..models.inbound_summary_attachment import InboundSummaryAttachment
    from ..models.inbound_summary_auth import InboundSummaryAuth


T = TypeVar("T", bound="InboundSummary")


@_attrs_define
class InboundSummary:
    """An inbound message without its bodies

    Attributes:
        id (str):
        mailbox_id (None | str): null when no mailbox matches the recipient
        envelope_from (str): MAIL FROM; empty for the null sender
        recipient (str): RCPT TO
        from_ (None | str):
        to (list[str]):
        cc (list[str]):
        subject (None | str):
        date (datetime.datetime | None):
        attachments (list[InboundSummaryAttachment]):
        auth (InboundSummaryAuth): recorded, never enforced
        auto_submitted (bool): sent automatically (RFC 3834): do not reply automatically
        parse_error (None | str): why it could not be parsed, or that it has several From; the raw message is complete
        read (bool):
        junk (bool): spam or a virus, at a domain whose `spam_policy` is `mark` or `refuse`
        scan (InboundScan): What the scanner (rspamd) said of an inbound message
        size_bytes (int):
        received_at (datetime.datetime):
    """

    id: str
    mailbox_id: None | str
    envelope_from: str
    recipient: str
    from_: None | str
    to: list[str]
    cc: list[str]
    subject: None | str
    date: datetime.datetime | None
    attachments: list[InboundSummaryAttachment]
    auth: InboundSummaryAuth
    auto_submitted: bool
    parse_error: None | str
    read: bool
    junk: bool
    scan: InboundScan
    size_bytes: int
    received_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        mailbox_id: None | str
        mailbox_id = self.mailbox_id

        envelope_from = self.envelope_from

        recipient = self.recipient

        from_: None | str
        from_ = self.from_

        to = self.to

        cc = self.cc

        subject: None | str
        subject = self.subject

        date: None | str
        if isinstance(self.date, datetime.datetime):
            date = self.date.isoformat()
        else:
            date = self.date

        attachments = []
        for attachments_item_data in self.attachments:
            attachments_item = attachments_item_data.to_dict()
            attachments.append(attachments_item)

        auth = self.auth.to_dict()

        auto_submitted = self.auto_submitted

        parse_error: None | str
        parse_error = self.parse_error

        read = self.read

        junk = self.junk

        scan = self.scan.to_dict()

        size_bytes = self.size_bytes

        received_at = self.received_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "mailbox_id": mailbox_id,
                "envelope_from": envelope_from,
                "recipient": recipient,
                "from": from_,
                "to": to,
                "cc": cc,
                "subject": subject,
                "date": date,
                "attachments": attachments,
                "auth": auth,
                "auto_submitted": auto_submitted,
                "parse_error": parse_error,
                "read": read,
                "junk": junk,
                "scan": scan,
                "size_bytes": size_bytes,
                "received_at": received_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.inbound_scan import InboundScan  # noqa: PLC0415
        from ..models.inbound_summary_attachment import InboundSummaryAttachment  # noqa: PLC0415
        from ..models.inbound_summary_auth import InboundSummaryAuth  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        def _parse_mailbox_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        mailbox_id = _parse_mailbox_id(d.pop("mailbox_id"))

        envelope_from = d.pop("envelope_from")

        recipient = d.pop("recipient")

        def _parse_from_(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        from_ = _parse_from_(d.pop("from"))

        to = cast(list[str], d.pop("to"))

        cc = cast(list[str], d.pop("cc"))

        def _parse_subject(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        subject = _parse_subject(d.pop("subject"))

        def _parse_date(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                date_type_0 = datetime.datetime.fromisoformat(data)

                return date_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        date = _parse_date(d.pop("date"))

        attachments = []
        _attachments = d.pop("attachments")
        for attachments_item_data in _attachments:
            attachments_item = InboundSummaryAttachment.from_dict(attachments_item_data)

            attachments.append(attachments_item)

        auth = InboundSummaryAuth.from_dict(d.pop("auth"))

        auto_submitted = d.pop("auto_submitted")

        def _parse_parse_error(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        parse_error = _parse_parse_error(d.pop("parse_error"))

        read = d.pop("read")

        junk = d.pop("junk")

        scan = InboundScan.from_dict(d.pop("scan"))

        size_bytes = d.pop("size_bytes")

        received_at = datetime.datetime.fromisoformat(d.pop("received_at"))

        inbound_summary = cls(
            id=id,
            mailbox_id=mailbox_id,
            envelope_from=envelope_from,
            recipient=recipient,
            from_=from_,
            to=to,
            cc=cc,
            subject=subject,
            date=date,
            attachments=attachments,
            auth=auth,
            auto_submitted=auto_submitted,
            parse_error=parse_error,
            read=read,
            junk=junk,
            scan=scan,
            size_bytes=size_bytes,
            received_at=received_at,
        )

        inbound_summary.additional_properties = d
        return inbound_summary

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
