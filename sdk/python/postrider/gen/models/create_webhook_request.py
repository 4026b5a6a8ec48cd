from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.create_webhook_request_format import (
    CreateWebhookRequestFormat,
    check_create_webhook_request_format,
)
from ..models.webhook_event_type import WebhookEventType, check_webhook_event_type
from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateWebhookRequest")


@_attrs_define
class CreateWebhookRequest:
    """
    Attributes:
        url (str): https, without credentials, at a public address
        event_types (list[WebhookEventType]): types of events, or `["*"]` for all of them, later ones too
        description (None | str | Unset):
        domain_ids (list[str] | None | Unset): only events of these domains (`dom_…`), and those that belong to no
            domain; null: all
        format_ (CreateWebhookRequestFormat | Unset): the shape of bodies
    """

    url: str
    event_types: list[WebhookEventType]
    description: None | str | Unset = UNSET
    domain_ids: list[str] | None | Unset = UNSET
    format_: CreateWebhookRequestFormat | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        event_types = []
        for event_types_item_data in self.event_types:
            event_types_item: str = event_types_item_data
            event_types.append(event_types_item)

        description: None | str | Unset
        if isinstance(self.description, Unset):
            description = UNSET
        else:
            description = self.description

        domain_ids: list[str] | None | Unset
        if isinstance(self.domain_ids, Unset):
            domain_ids = UNSET
        elif isinstance(self.domain_ids, list):
            domain_ids = self.domain_ids

        else:
            domain_ids = self.domain_ids

        format_: str | Unset = UNSET
        if not isinstance(self.format_, Unset):
            format_ = self.format_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "url": url,
                "event_types": event_types,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if domain_ids is not UNSET:
            field_dict["domain_ids"] = domain_ids
        if format_ is not UNSET:
            field_dict["format"] = format_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        url = d.pop("url")

        event_types = []
        _event_types = d.pop("event_types")
        for event_types_item_data in _event_types:
            event_types_item = check_webhook_event_type(event_types_item_data)

            event_types.append(event_types_item)

        def _parse_description(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        description = _parse_description(d.pop("description", UNSET))

        def _parse_domain_ids(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                domain_ids_type_0 = cast(list[str], data)

                return domain_ids_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        domain_ids = _parse_domain_ids(d.pop("domain_ids", UNSET))

        _format_ = d.pop("format", UNSET)
        format_: CreateWebhookRequestFormat | Unset
        if isinstance(_format_, Unset):
            format_ = UNSET
        else:
            format_ = check_create_webhook_request_format(_format_)

        create_webhook_request = cls(
            url=url,
            event_types=event_types,
            description=description,
            domain_ids=domain_ids,
            format_=format_,
        )

        return create_webhook_request
