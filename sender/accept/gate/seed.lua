-- Sets the counters of a day to what PostgreSQL has.
--
-- Guarantee: with 'missing' a counter that is there already is left alone, so that many processes may seed at once;
-- with 'replace' PostgreSQL's figures take its place (after a disagreement). Messages admitted by others between
-- the reading of PostgreSQL and this call may then be missing here: the authoritative check stops what that lets through.
--
-- KEYS[1]  hash of the day (see gate.lua)
-- ARGV[1]  'missing' or 'replace'
-- ARGV[2]  used
-- ARGV[3]  reserved
-- ARGV[4]  bulk, with what of `reserved` is for it
-- ARGV[5]  seconds to keep the key
--
-- Returns 1 when the figures were written, 0 when they were left alone.

if ARGV[1] == 'missing' and redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'used', ARGV[2], 'reserved', ARGV[3], 'bulk', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1
