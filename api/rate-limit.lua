-- One look at a rolling window: how much fell into it, and whether n more may.
--
-- Guarantee, for a window of 60 seconds: over any rolling 60 seconds by the clock of this Redis never more than the
-- limit is allowed, by however many processes; and nothing is refused while fewer than the limit fell into the last 61
-- seconds. Counts are kept per second: at second s the seconds s-60 to s are summed, which is at least the last 60 and
-- at most the last 61 seconds. All or nothing: what is refused counts nothing.
--
-- KEYS[1]  hash: second -> how many were allowed in it
-- ARGV[1]  limit
-- ARGV[2]  n, how many are asked for; 0 only looks
-- ARGV[3]  seconds of the window
--
-- Returns { allowed (1 or 0), used (with these, when allowed), now, room_at }, times in Unix seconds. room_at: when
-- refused, the second from which n fit; when allowed, the second at which the oldest count leaves the window.

local now = tonumber(redis.call('TIME')[1])
local limit, n, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local flat = redis.call('HGETALL', KEYS[1])
local used, seconds, counts, gone = 0, {}, {}, {}
for i = 1, #flat, 2 do
  local second = tonumber(flat[i])
  if second < now - window then
    gone[#gone + 1] = flat[i]
  else
    seconds[#seconds + 1] = second
    counts[second] = tonumber(flat[i + 1])
    used = used + counts[second]
  end
end
if #gone > 0 then redis.call('HDEL', KEYS[1], unpack(gone)) end

if used + n <= limit then
  if n > 0 then
    redis.call('HINCRBY', KEYS[1], now, n)
    redis.call('EXPIRE', KEYS[1], window + 2)
  end
  local oldest = now
  for _, second in ipairs(seconds) do
    if second < oldest then oldest = second end
  end
  return { 1, used + n, now, oldest + window + 1 }
end

table.sort(seconds)
local over, room_at = used + n - limit, now + window + 1
for _, second in ipairs(seconds) do
  over = over - counts[second]
  if over <= 0 then
    room_at = second + window + 1
    break
  end
end
return { 0, used, now, room_at }
