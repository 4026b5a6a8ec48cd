from typing import Literal, cast

CampaignPreflightAudienceLeftOutItemReason = Literal[
    "missing_variable",
    "suppressed_bounce",
    "suppressed_complaint",
    "suppressed_manual",
    "suppressed_unsubscribe",
    "unsubscribed",
]


def check_campaign_preflight_audience_left_out_item_reason(
    value: str,
) -> CampaignPreflightAudienceLeftOutItemReason:
    return cast(CampaignPreflightAudienceLeftOutItemReason, value)
