from typing import Literal, cast

SendCampaignTestResultStatus = Literal["deferred", "dropped", "queued"]


def check_send_campaign_test_result_status(value: str) -> SendCampaignTestResultStatus:
    return cast(SendCampaignTestResultStatus, value)
