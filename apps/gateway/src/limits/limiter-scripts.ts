import { createHash } from 'node:crypto';

/** A Lua script with the digest that identifies it in Redis. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

/**
 * `admit` of gcra.ts for many callers at one moment of Redis' own clock. KEYS: one per caller; ARGV: per caller the
 * interval in whole microseconds, the burst, and the number of requests. Returns four integers per caller: admitted,
 * remaining, reset and retry in microseconds. A key expires when its arrival time has passed and carries no information. An
 * arrival that a clock which stepped back has left too far ahead is limited in the key too, so that it is not met again.
 */
export const admitScript = script(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local arrivals = redis.call('MGET', unpack(KEYS))
local reply = {}
for i, key in ipairs(KEYS) do
  local interval, burst, asked = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local horizon = interval * burst
  local arrival = tonumber(arrivals[i] or now)
  local from = math.min(math.max(arrival, now), now + horizon)
  local free = math.floor((now + horizon - from) / interval)
  local admitted = math.min(asked, free)
  local next = from + admitted * interval
  if admitted > 0 or arrival > from then
    redis.call('SET', key, string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000) + 1000)
  end
  local at = #reply
  reply[at + 1] = admitted
  reply[at + 2] = free - admitted
  reply[at + 3] = next - now
  reply[at + 4] = math.max(0, next + interval - horizon - now)
end
return reply
`);

/**
 * One heartbeat of a gateway instance. KEYS: the sorted set of instances; ARGV: instance, window in milliseconds.
 * Returns how many instances were heard within the window, by Redis' own clock. Heartbeats ahead of that clock are from before
 * it stepped back: whoever sent them may have stopped since, and would count until the clock is there again.
 */
export const heartbeatScript = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now), '+inf')
redis.call('PEXPIRE', KEYS[1], ARGV[2] * 2)
return redis.call('ZCARD', KEYS[1])
`);

/**
 * Removes a key that still holds the given value. KEYS: the key; ARGV: the value. Returns how many were removed. A life of 0 removes
 * it at once; the gateway's user in Redis has no right to GET and DEL.
 */
export const releaseScript = script(`
if redis.call('MGET', KEYS[1])[1] == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], 0) end
return 0
`);

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
