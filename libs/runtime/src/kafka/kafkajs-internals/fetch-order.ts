import { Batch } from 'kafkajs';
import ConsumerGroup, { ConsumerGroup as Group } from 'kafkajs/src/consumer/consumerGroup';
import Runner from 'kafkajs/src/consumer/runner';
import { required } from './required';

const installed = Symbol.for('podium.kafka/fetch-order');

/** The fetches of one member, numbered, and the number of the last one when the position of each partition last changed. */
interface FetchOrder {
  fetches: number;
  readonly changes: Map<string, number>;
}

const orders = new WeakMap<Group, FetchOrder>();

/** The fetch that a batch came with. */
const fetchOf = new WeakMap<object, { readonly order: FetchOrder; readonly number: number }>();

/**
 * Makes kafkajs note which fetch each batch came with, once per process. It fetches from each broker on its own. While the
 * leader of a partition moves, the former and the new one may both be asked for it; an answer that comes late is of a position
 * that the partition has left, by a seek or by the records of the other. kafkajs knows of a seek only until the next fetch.
 */
export function noteFetchOrder(): void {
  const marked = Runner.prototype as typeof Runner.prototype & { [installed]?: boolean };
  if (marked[installed]) return;
  const fetch = required(Runner.prototype.fetch, 'fetch of a group');
  Runner.prototype.fetch = async function (nodeId) {
    const order = orderOf(this.consumerGroup);
    const number = ++order.fetches;
    const batches = await fetch.call(this, nodeId);
    for (const batch of batches) fetchOf.set(batch, { order, number });
    return batches;
  };
  const { prototype } = ConsumerGroup;
  const seek = required(prototype.seek, 'seek of a group');
  prototype.seek = function (place) {
    noteChange(this, place);
    seek.call(this, place);
  };
  const resolve = required(prototype.resolveOffset, 'position of a group');
  prototype.resolveOffset = function (place) {
    noteChange(this, place);
    resolve.call(this, place);
  };
  marked[installed] = true;
}

/**
 * Whether the position of its partition has changed since a batch was asked for. It must not be handled then: a handler would
 * move its position from one that the batch does not follow, and skip or repeat what is between. It is fetched again.
 */
export function isOutdated(batch: Pick<Batch, 'topic' | 'partition'>): boolean {
  const fetch = fetchOf.get(batch);
  return fetch !== undefined && (fetch.order.changes.get(nameOf(batch)) ?? 0) >= fetch.number;
}

function noteChange(group: Group, place: Pick<Batch, 'topic' | 'partition'>): void {
  const order = orderOf(group);
  order.changes.set(nameOf(place), order.fetches);
}

function orderOf(group: Group): FetchOrder {
  let order = orders.get(group);
  if (!order) orders.set(group, (order = { fetches: 0, changes: new Map() }));
  return order;
}

function nameOf({ topic, partition }: Pick<Batch, 'topic' | 'partition'>): string {
  return `${topic}/${partition}`;
}
