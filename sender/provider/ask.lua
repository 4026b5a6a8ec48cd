-- A sender asks for its part of what a mailbox provider takes: connections, and messages of the minute.
--
-- Guarantee: the connections that live senders may have open are never more than the limit, but for those that were open
-- when it fell: what a sender may use is written down here before it may, and less is written only after it said that it
-- uses less. The messages of any minute are never more than the limit. After a loss of the data, senders first say what
-- they have; nobody gets more until they had the time to.
--
-- KEYS[1]  hash: connections, per_minute and what was learned about them (core/mailbox-provider/limits.lua reads it)
-- KEYS[2]  hash: sender → "seen keep-or-granted wanted messages working wanted-messages", all numbers
-- ARGV[1]  the sender's id
-- ARGV[2]  connections with which we begin     ARGV[3]  the same for messages a minute
-- ARGV[4]  what it may have open now           ARGV[5]  how many connections it wants
-- ARGV[6]  how many work: the provider accepted them, or has not answered yet
-- ARGV[7]  messages that it was granted and has not sent
-- ARGV[8]  messages that it wants to send now  ARGV[9]  messages that the provider answered since it last asked
-- ARGV[10] 1: the provider refused a connection as one too many
-- ARGV[11] 1: the provider said that we send too fast
-- ARGV[12] milliseconds for which the provider wants nothing; 0 when it did not say so
-- ARGV[13] the reply that asked for it, or empty
-- ARGV[14] milliseconds that count as a second (1000; less in tests)
-- ARGV[15] live senders, as far as the caller knows
-- ARGV[16] 1: it needs nothing more and is forgotten
--
-- Returns connections granted, messages granted, milliseconds until the provider wants mail again, the limit of
-- connections, the limit of messages a minute.

local SECOND = tonumber(ARGV[14])
local MINUTE = 60 * SECOND
local LEASE = 10 * SECOND -- ten questions unanswered: the sender is dead, or Redis is away for it
local GAP = 4 * SECOND -- nobody asked for so long: Redis was away, and no lease ran out
local GRACE = 3 * SECOND -- after a loss, for every sender that is alive to ask
local SETTLE = 3 * SECOND -- refusals of one burst answer the same excess; by then every sender has said what it has
local HOLD = 15 * SECOND -- without any message after "too fast": the rest of a minute's limit is used up
local PROBE = 10 * MINUTE -- before one connection more, or a tenth more messages, is tried
local MOST_DOUBLINGS = 4 -- of PROBE, for connections: it is 160 minutes then
local LEARNED_PART = 0.9 -- of the rate before, at most, when a provider says "too fast"
local LEAST_RATE = 6 -- messages a minute that are tried whatever it says; KumoMTA goes down to 1 and 10
local BURST_PART = 20 -- of a minute's messages one part in so many may leave at once
local ROTATE = MINUTE -- who gets the odd connection changes that often
local SLICES = 12 -- of a minute in which answered messages are counted
local KEEP = 7 * 86400000 -- what was learned is kept, in ms

local id = ARGV[1]
local start = { connections = tonumber(ARGV[2]), rate = tonumber(ARGV[3]) }
local keep, want, own_working = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local unsent, wants_messages, answered = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local alone = tonumber(ARGV[15]) <= 1

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local state = {}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do state[fields[i]] = fields[i + 1] end
local function number(name) return tonumber(state[name] or 0) end
local function set(name, value)
  state[name] = value
  redis.call('HSET', KEYS[1], name, value)
end

if not state.asked_at then
  set('connections', start.connections)
  set('per_minute', start.rate)
  if not alone then set('grace_until', now + GRACE) end
  set('bucket', alone and 1 or 0)
  set('filled_at', now)
end

-- Other senders. While nobody asked at all, nobody's lease ran out.
local away = state.asked_at and math.max(0, now - number('asked_at') - GAP) or 0
local others, taken, out, total_want, working, wanting = {}, 0, 0, want, own_working, wants_messages > 0 and 1 or 0
local leases = redis.call('HGETALL', KEYS[2])
for i = 1, #leases, 2 do
  if leases[i] ~= id then
    local lease = {}
    for word in string.gmatch(leases[i + 1], '%S+') do lease[#lease + 1] = tonumber(word) end
    local seen = lease[1] + away
    if now - seen > LEASE then
      redis.call('HDEL', KEYS[2], leases[i])
    else
      if away > 0 then
        lease[1] = seen
        redis.call('HSET', KEYS[2], leases[i], table.concat(lease, ' '))
      end
      others[#others + 1] = { id = leases[i], want = lease[3] }
      taken, total_want, out = taken + lease[2], total_want + lease[3], out + lease[4]
      working = working + lease[5]
      if lease[6] > 0 then wanting = wanting + 1 end
    end
  end
end
set('asked_at', now)

-- What the provider answered lately.
local slice = math.floor(now * SLICES / MINUTE)
local answered_lately = answered
for i = 0, SLICES - 1 do
  local at, count = string.match(state['answered' .. i] or '', '(%d+) (%d+)')
  if at and tonumber(at) > slice - SLICES then
    answered_lately = answered_lately + tonumber(count)
    if tonumber(at) == slice then answered = answered + tonumber(count) end
  end
end
if answered > 0 then set('answered' .. slice % SLICES, string.format('%.0f %.0f', slice, answered)) end

-- Connections: when one was too many, the limit is what works.
local limit = number('connections')
local learned_at = number('connections_learned_at')
if ARGV[10] == '1' then
  if now - learned_at > SETTLE then
    set('connections_before', limit)
    if state.probing == '1' then set('probes', math.min(number('probes') + 1, MOST_DOUBLINGS)) end
    set('probing', 0)
  end
  limit = math.max(1, math.min(number('connections_before') - 1, working))
  set('connections_learned_at', now)
  set('connections_at', now)
elseif learned_at == 0 then
  limit = start.connections
elseif now - learned_at <= SETTLE then
  limit = math.max(limit, math.min(number('connections_before') - 1, working))
elseif limit < start.connections and total_want > limit
  and now - number('connections_at') > PROBE * 2 ^ number('probes') then
  limit = limit + 1
  set('probing', 1)
  set('connections_at', now)
end
if limit >= start.connections then
  limit = start.connections
  if ARGV[10] ~= '1' then set('connections_learned_at', 0) end
end
set('connections', limit)

-- Messages a minute: when they were too many, no more than were answered in the last minute.
local rate = number('per_minute')
if ARGV[11] == '1' then
  set('hold_until', now + HOLD)
  if now - number('rate_learned_at') > MINUTE + HOLD then
    rate = math.max(math.min(LEAST_RATE, start.rate), math.floor(math.min(rate * LEARNED_PART, answered_lately)))
    set('rate_learned_at', now)
    set('rate_at', now)
  end
elseif number('rate_learned_at') == 0 then
  rate = start.rate
elseif rate < start.rate and wants_messages > 0 and now - number('rate_at') > PROBE then
  rate = math.floor(rate * 1.1) + 1
  set('rate_at', now)
end
if rate >= start.rate then
  rate = start.rate
  if ARGV[11] ~= '1' then set('rate_learned_at', 0) end
end
set('per_minute', rate)

if tonumber(ARGV[12]) > 0 then
  set('suspended_until', math.max(number('suspended_until'), now + tonumber(ARGV[12])))
end
local suspended = math.max(0, number('suspended_until') - now)
if ARGV[13] ~= '' then
  set('learned_from', ARGV[13])
elseif number('connections_learned_at') == 0 and number('rate_learned_at') == 0 and suspended == 0 then
  redis.call('HDEL', KEYS[1], 'learned_from')
end

-- The bucket of messages: what it holds and what senders have of it is one burst; what flows in, the rest of the minute.
local burst = math.max(1, math.floor(rate / BURST_PART))
local flow = math.max(rate - burst, rate / 2) / MINUTE
local bucket = number('bucket') + unsent + (now - number('filled_at')) * flow
bucket = math.max(0, math.min(bucket, burst - out))
if now < number('hold_until') or suspended > 0 then bucket = 0 end
local messages = 0
if now >= number('grace_until') then
  messages = math.min(wants_messages, math.floor(bucket), math.max(1, math.floor(bucket / math.max(1, wanting))))
end
set('bucket', bucket - messages)
set('filled_at', now)

-- Connections of this sender: its part of the limit, where all get what they want or the same.
others[#others + 1] = { id = id, want = want }
table.sort(others, function(a, b) return a.id < b.id end)
for place, one in ipairs(others) do one.turn = (place + math.floor(now / ROTATE)) % #others end
table.sort(others, function(a, b) return a.want < b.want or (a.want == b.want and a.turn < b.turn) end)
local left, part = limit, 0
for place, one in ipairs(others) do
  local share = math.min(one.want, math.floor(left / (#others - place + 1)))
  left = left - share
  if one.id == id then part = share end
end
if total_want <= limit then part = math.max(keep, part + math.floor((limit - total_want) / #others)) end
local granted = math.max(0, math.min(part, limit - taken))
if now < number('grace_until') then granted = math.min(keep, math.max(0, limit - taken)) end

if ARGV[16] == '1' then
  granted = 0
  redis.call('HDEL', KEYS[2], id)
else
  local lease = { now, math.max(keep, granted), want, messages, own_working, wants_messages }
  redis.call('HSET', KEYS[2], id, table.concat(lease, ' '))
end
redis.call('PEXPIRE', KEYS[1], KEEP)
redis.call('PEXPIRE', KEYS[2], KEEP)
return { granted, messages, suspended, limit, rate }
