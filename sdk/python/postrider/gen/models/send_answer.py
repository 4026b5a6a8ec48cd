from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.send_answer_reason import SendAnswerReason, check_send_answer_reason
from ..models.send_answer_status import SendAnswerStatus, check_send_answer_status
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.send_answer_recipient import SendAnswerRecipient
    from ..models.send_answer_warmup import SendAnswerWarmup


T = TypeVar("T", bound="SendAnswer")


@_attrs_define
class SendAnswer:
    """The decision on the message under the warm-up cap

    Attributes:
        id (str):
        status (SendAnswerStatus):
        reason (None | SendAnswerReason):
        deferred_until (datetime.datetime | None):
        domain (str):
        warmup (SendAnswerWarmup):
        recipients (list[SendAnswerRecipient] | Unset): only with several recipients: each of them in the order of to,
            cc, bcc; the fields beside it are those of the first
    """

    id: str
    status: SendAnswerStatus
    reason: None | SendAnswerReason
    deferred_until: datetime.datetime | None
    domain: str
    warmup: SendAnswerWarmup
    recipients: list[SendAnswerRecipient] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status: str = self.status

        reason: None | str
        if isinstance(self.reason, str):
            reason = self.reason
        else:
            reason = self.reason

        deferred_until: None | str
        if isinstance(self.deferred_until, datetime.datetime):
            deferred_until = self.deferred_until.isoformat()
        else:
            deferred_until = self.deferred_until

        domain = self.domain

        warmup = self.warmup.to_dict()

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
                "status": status,
                "reason": reason,
                "deferred_until": deferred_until,
                "domain": domain,
                "warmup": warmup,
            }
        )
        if recipients is not UNSET:
            field_dict["recipients"] = recipients

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.send_answer_recipient import SendAnswerRecipient  # noqa: PLC0415
        from ..models.send_answer_warmup import SendAnswerWarmup  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        status = check_send_answer_status(d.pop("status"))

        def _parse_reason(data: object) -> None | SendAnswerReason:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_0 = check_send_answer_reason(data)

                return reason_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SendAnswerReason, data)

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

        domain = d.pop("domain")

        warmup = SendAnswerWarmup.from_dict(d.pop("warmup"))

        _recipients = d.pop("recipients", UNSET)
        recipients: list[SendAnswerRecipient] | Unset = UNSET
        if _recipients is not UNSET:
            recipients = []
            for recipients_item_data in _recipients:
                recipients_item = SendAnswerRecipient.from_dict(recipients_item_data)

                recipients.append(recipients_item)

        send_answer = cls(
            id=id,
            status=status,
            reason=reason,
            deferred_until=deferred_until,
            domain=domain,
            warmup=warmup,
            recipients=recipients,
        )

        send_answer.additional_properties = d
        return send_answer

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
