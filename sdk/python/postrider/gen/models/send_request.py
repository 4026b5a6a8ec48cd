from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.send_request_attachment import SendRequestAttachment
    from ..models.send_request_header import SendRequestHeader
    from ..models.send_request_headers import SendRequestHeaders
    from ..models.send_request_tag import SendRequestTag
    from ..models.send_request_variables import SendRequestVariables


T = TypeVar("T", bound="SendRequest")


@_attrs_define
class SendRequest:
    """One message to one recipient or several

    Attributes:
        to (list[str] | str): one address or a list, each `address` or `Name <address>`; at most 50 in `to`, `cc` and
            `bcc` together
        from_ (str | Unset): `address` or `Name <address>`
        cc (list[str] | str | Unset): one address or a list, each `address` or `Name <address>`; at most 50 in `to`,
            `cc` and `bcc` together
        bcc (list[str] | str | Unset): one address or a list, each `address` or `Name <address>`; at most 50 in `to`,
            `cc` and `bcc` together
        subject (str | Unset):
        html (str | Unset):
        text (str | Unset):
        raw (str | Unset): a whole message (RFC 5322, line ends CR LF) in place of `subject`, `html`, `text`,
            `attachments` and all other content; it is sent as it is. It goes to `to`, `cc` and `bcc`, whatever its header
            says, and `from` follows from its header. Opens and clicks are tracked only where `track_opens` or
            `track_clicks` is true
        template_id (str | Unset): `tpl_…`
        variables (SendRequestVariables | Unset): values of the template’s variables
        reply_to (str | Unset): `address` or `Name <address>`
        headers (list[SendRequestHeader] | SendRequestHeaders | Unset): custom header fields; not those of the envelope,
            MIME, DKIM or tracking. `List-Unsubscribe` (`<https://…>` or `<mailto:…>`, several separated by commas) and,
            with an https one, `List-Unsubscribe-Post: List-Unsubscribe=One-Click` are your own way to unsubscribe, in place
            of `unsubscribe`
        tags (list[SendRequestTag] | Unset):
        attachments (list[SendRequestAttachment] | Unset):
        scheduled_at (datetime.datetime | Unset):
        track_opens (bool | Unset):
        track_clicks (bool | Unset):
        unsubscribe (bool | Unset): true: our signed List-Unsubscribe pair for one-click unsubscribing (RFC 8058), and
            the link in place of `{{ unsubscribe_url }}` in the content; who follows it is suppressed
        esp (str | Unset):
    """

    to: list[str] | str
    from_: str | Unset = UNSET
    cc: list[str] | str | Unset = UNSET
    bcc: list[str] | str | Unset = UNSET
    subject: str | Unset = UNSET
    html: str | Unset = UNSET
    text: str | Unset = UNSET
    raw: str | Unset = UNSET
    template_id: str | Unset = UNSET
    variables: SendRequestVariables | Unset = UNSET
    reply_to: str | Unset = UNSET
    headers: list[SendRequestHeader] | SendRequestHeaders | Unset = UNSET
    tags: list[SendRequestTag] | Unset = UNSET
    attachments: list[SendRequestAttachment] | Unset = UNSET
    scheduled_at: datetime.datetime | Unset = UNSET
    track_opens: bool | Unset = UNSET
    track_clicks: bool | Unset = UNSET
    unsubscribe: bool | Unset = UNSET
    esp: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.send_request_headers import SendRequestHeaders  # noqa: PLC0415

        to: list[str] | str
        if isinstance(self.to, list):
            to = self.to

        else:
            to = self.to

        from_ = self.from_

        cc: list[str] | str | Unset
        if isinstance(self.cc, Unset):
            cc = UNSET
        elif isinstance(self.cc, list):
            cc = self.cc

        else:
            cc = self.cc

        bcc: list[str] | str | Unset
        if isinstance(self.bcc, Unset):
            bcc = UNSET
        elif isinstance(self.bcc, list):
            bcc = self.bcc

        else:
            bcc = self.bcc

        subject = self.subject

        html = self.html

        text = self.text

        raw = self.raw

        template_id = self.template_id

        variables: dict[str, Any] | Unset = UNSET
        if not isinstance(self.variables, Unset):
            variables = self.variables.to_dict()

        reply_to = self.reply_to

        headers: dict[str, Any] | list[dict[str, Any]] | Unset
        if isinstance(self.headers, Unset):
            headers = UNSET
        elif isinstance(self.headers, SendRequestHeaders):
            headers = self.headers.to_dict()
        else:
            headers = []
            for headers_type_1_item_data in self.headers:
                headers_type_1_item = headers_type_1_item_data.to_dict()
                headers.append(headers_type_1_item)

        tags: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.tags, Unset):
            tags = []
            for tags_item_data in self.tags:
                tags_item = tags_item_data.to_dict()
                tags.append(tags_item)

        attachments: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.attachments, Unset):
            attachments = []
            for attachments_item_data in self.attachments:
                attachments_item = attachments_item_data.to_dict()
                attachments.append(attachments_item)

        scheduled_at: str | Unset = UNSET
        if not isinstance(self.scheduled_at, Unset):
            scheduled_at = self.scheduled_at.isoformat()

        track_opens = self.track_opens

        track_clicks = self.track_clicks

        unsubscribe = self.unsubscribe

        esp = self.esp

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "to": to,
            }
        )
        if from_ is not UNSET:
            field_dict["from"] = from_
        if cc is not UNSET:
            field_dict["cc"] = cc
        if bcc is not UNSET:
            field_dict["bcc"] = bcc
        if subject is not UNSET:
            field_dict["subject"] = subject
        if html is not UNSET:
            field_dict["html"] = html
        if text is not UNSET:
            field_dict["text"] = text
        if raw is not UNSET:
            field_dict["raw"] = raw
        if template_id is not UNSET:
            field_dict["template_id"] = template_id
        if variables is not UNSET:
            field_dict["variables"] = variables
        if reply_to is not UNSET:
            field_dict["reply_to"] = reply_to
        if headers is not UNSET:
            field_dict["headers"] = headers
        if tags is not UNSET:
            field_dict["tags"] = tags
        if attachments is not UNSET:
            field_dict["attachments"] = attachments
        if scheduled_at is not UNSET:
            field_dict["scheduled_at"] = scheduled_at
        if track_opens is not UNSET:
            field_dict["track_opens"] = track_opens
        if track_clicks is not UNSET:
            field_dict["track_clicks"] = track_clicks
        if unsubscribe is not UNSET:
            field_dict["unsubscribe"] = unsubscribe
        if esp is not UNSET:
            field_dict["esp"] = esp

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.send_request_attachment import SendRequestAttachment  # noqa: PLC0415
        from ..models.send_request_header import SendRequestHeader  # noqa: PLC0415
        from ..models.send_request_headers import SendRequestHeaders  # noqa: PLC0415
        from ..models.send_request_tag import SendRequestTag  # noqa: PLC0415
        from ..models.send_request_variables import SendRequestVariables  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_to(data: object) -> list[str] | str:
            try:
                if not isinstance(data, list):
                    raise TypeError()
                to_type_1 = cast(list[str], data)

                return to_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | str, data)

        to = _parse_to(d.pop("to"))

        from_ = d.pop("from", UNSET)

        def _parse_cc(data: object) -> list[str] | str | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                cc_type_1 = cast(list[str], data)

                return cc_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | str | Unset, data)

        cc = _parse_cc(d.pop("cc", UNSET))

        def _parse_bcc(data: object) -> list[str] | str | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                bcc_type_1 = cast(list[str], data)

                return bcc_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | str | Unset, data)

        bcc = _parse_bcc(d.pop("bcc", UNSET))

        subject = d.pop("subject", UNSET)

        html = d.pop("html", UNSET)

        text = d.pop("text", UNSET)

        raw = d.pop("raw", UNSET)

        template_id = d.pop("template_id", UNSET)

        _variables = d.pop("variables", UNSET)
        variables: SendRequestVariables | Unset
        if isinstance(_variables, Unset):
            variables = UNSET
        else:
            variables = SendRequestVariables.from_dict(_variables)

        reply_to = d.pop("reply_to", UNSET)

        def _parse_headers(data: object) -> list[SendRequestHeader] | SendRequestHeaders | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                headers_type_0 = SendRequestHeaders.from_dict(data)

                return headers_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, list):
                raise TypeError()
            headers_type_1 = []
            _headers_type_1 = data
            for headers_type_1_item_data in _headers_type_1:
                headers_type_1_item = SendRequestHeader.from_dict(headers_type_1_item_data)

                headers_type_1.append(headers_type_1_item)

            return headers_type_1

        headers = _parse_headers(d.pop("headers", UNSET))

        _tags = d.pop("tags", UNSET)
        tags: list[SendRequestTag] | Unset = UNSET
        if _tags is not UNSET:
            tags = []
            for tags_item_data in _tags:
                tags_item = SendRequestTag.from_dict(tags_item_data)

                tags.append(tags_item)

        _attachments = d.pop("attachments", UNSET)
        attachments: list[SendRequestAttachment] | Unset = UNSET
        if _attachments is not UNSET:
            attachments = []
            for attachments_item_data in _attachments:
                attachments_item = SendRequestAttachment.from_dict(attachments_item_data)

                attachments.append(attachments_item)

        _scheduled_at = d.pop("scheduled_at", UNSET)
        scheduled_at: datetime.datetime | Unset
        if isinstance(_scheduled_at, Unset):
            scheduled_at = UNSET
        else:
            scheduled_at = datetime.datetime.fromisoformat(_scheduled_at)

        track_opens = d.pop("track_opens", UNSET)

        track_clicks = d.pop("track_clicks", UNSET)

        unsubscribe = d.pop("unsubscribe", UNSET)

        esp = d.pop("esp", UNSET)

        send_request = cls(
            to=to,
            from_=from_,
            cc=cc,
            bcc=bcc,
            subject=subject,
            html=html,
            text=text,
            raw=raw,
            template_id=template_id,
            variables=variables,
            reply_to=reply_to,
            headers=headers,
            tags=tags,
            attachments=attachments,
            scheduled_at=scheduled_at,
            track_opens=track_opens,
            track_clicks=track_clicks,
            unsubscribe=unsubscribe,
            esp=esp,
        )

        return send_request
