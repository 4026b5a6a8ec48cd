-- What was learned about a mailbox provider, for those who show it.
--
-- Guarantee: changes nothing.
--
-- KEYS[1]  hash of the provider (sender/provider/ask.lua)
--
-- Returns the limit of connections, of messages a minute, and the reply that they were learned from, each false when
-- nobody has asked, or nothing was learned; and until when the provider wants nothing, in milliseconds since 1970, 0 when it takes mail.

local known = redis.call('HMGET', KEYS[1], 'connections', 'per_minute', 'learned_from', 'suspended_until')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local until_ms = math.floor(tonumber(known[4] or 0))
return { known[1], known[2], known[3], until_ms > now and until_ms or 0 }
