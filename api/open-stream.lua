-- The place of one stream under its limits: taken, kept or given back.
--
-- Guarantee: by the clock of this Redis no stream is let in that would be one too many, by however many processes. A
-- place is a lease: what is not kept in time, because its process died, counts no more.
--
-- KEYS     sorted sets, one for each limit: stream -> Unix milliseconds at which its lease ends
-- ARGV[1]  stream
-- ARGV[2]  milliseconds of a lease
-- ARGV[3]  'open', 'keep' or 'close'; 'keep' lets in whatever the limits say: Redis may have lost its count
-- ARGV[4…] the most of each key
--
-- Returns 0, or the number of the first key that is full; then nothing was taken.

local stream, lease, verb = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if verb == 'open' and redis.call('ZCARD', key) >= tonumber(ARGV[3 + i]) then return i end
end

for _, key in ipairs(KEYS) do
  if verb == 'close' then
    redis.call('ZREM', key, stream)
  else
    redis.call('ZADD', key, now + lease, stream)
    redis.call('PEXPIRE', key, lease)
  end
end
return 0
