import BrokerPool from 'kafkajs/src/cluster/brokerPool';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';
import RequestQueue, { RequestQueue as Queue } from 'kafkajs/src/network/requestQueue';
import { required } from '../kafkajs-internals/required';

const installed = Symbol.for('podium.kafka/clock-steps');

/**
 * Makes kafkajs go on when the time of day is set back, once per process. It measures its waits by that clock, so each would last
 * longer by as much as the clock was set back:
 *
 * - A request to a broker that is silent, for which all others of a producer wait, has its timeout by a monotonic clock. It has it
 *   also while its connection is being closed: kafkajs waits for the request, and would wait for as long as the broker is silent.
 * - Requests are held no longer than the broker has asked for.
 * - A heartbeat that seems to be of the future does not delay the next one: the group would end the membership.
 * - Metadata that seem to be of the future have expired: they may name a leader that is gone.
 *
 * A spec fails when a new version of kafkajs no longer uses the replaced functions.
 */
export function withstandClockSteps(): void {
  const marked = RequestQueue.prototype as Queue & { [installed]?: boolean };
  if (marked[installed]) return;
  replaceTimeouts();
  replaceThrottling();
  replaceHeartbeat();
  replaceExpiry();
  marked[installed] = true;
}

function replaceTimeouts(): void {
  const { prototype } = RequestQueue;
  required(prototype.scheduleRequestTimeoutCheck, 'timeout of requests');
  prototype.scheduleRequestTimeoutCheck = function () {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    const seenMs = new WeakMap<object, number>();
    this.requestTimeoutIntervalId = setInterval(
      () => {
        const nowMs = performance.now();
        this.inflight.forEach((request) => {
          const sinceMs = seenMs.get(request);
          if (sinceMs === undefined) seenMs.set(request, nowMs);
          else if (nowMs - sinceMs > request.requestTimeout) request.timeoutRequest();
        });
        if (!this.isConnected() && this.inflight.size + this.pending.length === 0) this.destroy();
      },
      Math.min(this.requestTimeout, 100),
    );
  };
}

function replaceThrottling(): void {
  const { prototype } = RequestQueue;
  const throttle = required(prototype.maybeThrottle, 'throttling of requests');
  const canSend = required(prototype.canSendSocketRequestImmediately, 'throttling of requests');
  /** When the last hold of a queue ends, by a monotonic clock. */
  const heldUntilMs = new WeakMap<Queue, number>();
  prototype.maybeThrottle = function (throttleMs) {
    // Responses that know no throttling, such as those of SASL, have undefined.
    if (throttleMs) heldUntilMs.set(this, Math.max(performance.now() + throttleMs, heldUntilMs.get(this) ?? 0));
    throttle.call(this, throttleMs);
  };
  prototype.canSendSocketRequestImmediately = function () {
    const leftMs = (heldUntilMs.get(this) ?? 0) - performance.now();
    this.throttledUntil = leftMs > 0 ? Date.now() + leftMs : -1;
    return canSend.call(this);
  };
}

function replaceHeartbeat(): void {
  const { prototype } = ConsumerGroup;
  const heartbeat = required(prototype.heartbeat, 'heartbeat of a group');
  prototype.heartbeat = function (options) {
    if (this.lastRequest > Date.now()) this.lastRequest = 0;
    return heartbeat.call(this, options);
  };
}

function replaceExpiry(): void {
  const { prototype } = BrokerPool;
  const refresh = required(prototype.refreshMetadataIfNecessary, 'refresh of metadata');
  prototype.refreshMetadataIfNecessary = function (topics) {
    const { metadataExpireAt, metadataMaxAge } = this;
    if (metadataExpireAt !== null && metadataExpireAt - Date.now() > metadataMaxAge) this.metadataExpireAt = null;
    return refresh.call(this, topics);
  };
}
