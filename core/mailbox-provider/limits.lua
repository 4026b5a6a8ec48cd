-- What was learned about a mailbox provider, for those who show it.
--
-- Guarantee: changes nothing.
--
-- KEYS[1]  hash of the provider (sender/provider/ask.lua)
--
-- Returns the limit of connections, of messages a minute, and the reply that they were learned from; each false when
-- nobody has asked, or nothing was learned.

return redis.call('HMGET', KEYS[1], 'connections', 'per_minute', 'learned_from')
