from typing import Literal, cast

CampaignStatus = Literal["cancelled", "draft", "paused", "scheduled", "sending", "sent"]


def check_campaign_status(value: str) -> CampaignStatus:
    return cast(CampaignStatus, value)
