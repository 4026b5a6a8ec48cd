-- Takes back admissions of messages that were not stored after all.
--
-- Guarantee: an admission is refunded at most once, and only if gate.lua counted it lately under the same message id.
--
-- KEYS[1]  hash of the day (see gate.lua)
-- KEYS[2]  sorted set of ids admitted lately (see gate.lua)
-- ARGV[1…] one per message: 't', 'b' or 'u' followed by the message id
--
-- Returns the number of admissions refunded.

local total, bulk = 0, 0
for i = 1, #ARGV do
  if redis.call('ZREM', KEYS[2], string.sub(ARGV[i], 2)) == 1 then
    total = total + 1
    if string.byte(ARGV[i]) == 98 then bulk = bulk + 1 end
  end
end
if total > 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], 'used', -total)
  -- Lua writes minus zero as "-0", which Redis does not take for a number.
  if bulk > 0 then redis.call('HINCRBY', KEYS[1], 'bulk', -bulk) end
end
return total
