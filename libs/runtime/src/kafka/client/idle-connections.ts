import RequestQueue, { RequestQueue as Queue } from 'kafkajs/src/network/requestQueue';
import { required } from '../kafkajs-internals/required';

const installed = Symbol.for('podium.kafka/idle-connections');

/**
 * Makes kafkajs look for requests that wait only while there are some, once per process. From the first response of a connection on
 * it would look about a thousand times a second, for as long as the connection is open.
 *
 * A spec fails when a new version of kafkajs no longer uses the replaced function.
 */
export function restWhenIdle(): void {
  const marked = RequestQueue.prototype as Queue & { [installed]?: boolean };
  if (marked[installed]) return;
  const { prototype } = RequestQueue;
  const schedule = required(prototype.scheduleCheckPendingRequests, 'check for requests that wait');
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) schedule.call(this);
  };
  marked[installed] = true;
}
