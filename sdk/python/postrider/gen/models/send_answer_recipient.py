from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.send_answer_recipient_status import (
    SendAnswerRecipientStatus,
    check_send_answer_recipient_status,
)

T = TypeVar("T", bound="SendAnswerRecipient")


@_attrs_define
class SendAnswerRecipient:
    """
    Attributes:
        email (str):
        id (str): of the message to this recipient
        status (SendAnswerRecipientStatus):
        reason (None | str):
        deferred_until (datetime.datetime | None):
    """

    email: str
    id: str
    status: SendAnswerRecipientStatus
    reason: None | str
    deferred_until: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        email = self.email

        id = self.id

        status: str = self.status

        reason: None | str
        reason = self.reason

        deferred_until: None | str
        if isinstance(self.deferred_until, datetime.datetime):
            deferred_until = self.deferred_until.isoformat()
        else:
            deferred_until = self.deferred_until

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "email": email,
                "id": id,
                "status": status,
                "reason": reason,
                "deferred_until": deferred_until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        email = d.pop("email")

        id = d.pop("id")

        status = check_send_answer_recipient_status(d.pop("status"))

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

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

        send_answer_recipient = cls(
            email=email,
            id=id,
            status=status,
            reason=reason,
            deferred_until=deferred_until,
        )

        send_answer_recipient.additional_properties = d
        return send_answer_recipient

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
