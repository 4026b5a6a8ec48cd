from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.provider_figures_limits import ProviderFiguresLimits
    from ..models.provider_figures_top_replie import ProviderFiguresTopReplie


T = TypeVar("T", bound="ProviderFigures")


@_attrs_define
class ProviderFigures:
    """Mail to one mailbox provider over 30 UTC days

    Attributes:
        provider (str): such as gmail; the recipient’s domain counts as the one that its MX leads to
        sent (int): messages with their first attempt in the window
        delivered (int):
        deferred (int): attempts after which the provider asked to retry
        bounced (int):
        complained (int):
        limits (ProviderFiguresLimits): of this service for all of its customers together
        top_replies (list[ProviderFiguresTopReplie]): the most frequent refusals, without addresses, ids and links;
            `other` are those beyond the 20 of a day
    """

    provider: str
    sent: int
    delivered: int
    deferred: int
    bounced: int
    complained: int
    limits: ProviderFiguresLimits
    top_replies: list[ProviderFiguresTopReplie]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        provider = self.provider

        sent = self.sent

        delivered = self.delivered

        deferred = self.deferred

        bounced = self.bounced

        complained = self.complained

        limits = self.limits.to_dict()

        top_replies = []
        for top_replies_item_data in self.top_replies:
            top_replies_item = top_replies_item_data.to_dict()
            top_replies.append(top_replies_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "provider": provider,
                "sent": sent,
                "delivered": delivered,
                "deferred": deferred,
                "bounced": bounced,
                "complained": complained,
                "limits": limits,
                "top_replies": top_replies,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.provider_figures_limits import ProviderFiguresLimits  # noqa: PLC0415
        from ..models.provider_figures_top_replie import ProviderFiguresTopReplie  # noqa: PLC0415

        d = dict(src_dict)
        provider = d.pop("provider")

        sent = d.pop("sent")

        delivered = d.pop("delivered")

        deferred = d.pop("deferred")

        bounced = d.pop("bounced")

        complained = d.pop("complained")

        limits = ProviderFiguresLimits.from_dict(d.pop("limits"))

        top_replies = []
        _top_replies = d.pop("top_replies")
        for top_replies_item_data in _top_replies:
            top_replies_item = ProviderFiguresTopReplie.from_dict(top_replies_item_data)

            top_replies.append(top_replies_item)

        provider_figures = cls(
            provider=provider,
            sent=sent,
            delivered=delivered,
            deferred=deferred,
            bounced=bounced,
            complained=complained,
            limits=limits,
            top_replies=top_replies,
        )

        provider_figures.additional_properties = d
        return provider_figures

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
