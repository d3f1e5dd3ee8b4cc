import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiKeyData,
  apiKeyChanged,
  createKey,
  encodeRecord,
  encodeScopes,
  recordKey,
  scopesHeader,
  topics,
} from '@podium/messages';
import { internalTokenHeader } from '@podium/runtime/http';
import { RecordProducer, createKafka } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { pino } from 'pino';
import { StackFolders } from '../../tools/stack/folders';
import { freePorts } from '../../tools/stack/ports';
import { Progress } from '../../tools/stack/progress';
import { readFlags } from '../../tools/stack/services';
import { WholeStack } from '../../tools/stack/whole-stack';
import { Child } from '../support/child';
import { LoadFigures } from '../support/closed-loop';
import { productionPostgres } from '../support/production-postgres';
import { FloorReport } from './floor';
import { GeneratorCommand, GeneratorReport } from './generator';
import { ReadsOptions } from './options';

/** A measured server and the fixed parts of its requests. */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** Prepended to the operation's path. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What is measured: the service itself with repeated requests; the service with requests that never repeat and so are never
 * cached (`uncached`); both through the gateway; the floor with one document, and with one stored page of the response's size.
 */
export type TargetName = 'service' | 'uncached' | 'gateway' | 'uncachedGateway' | 'floor' | 'pageFloor';

/** Everything that takes part in a run. */
export interface ReadsStack {
  readonly stack: WholeStack;
  readonly targets: Readonly<Record<TargetName, Target>>;
  /** Sends requests to one target in rotation. */
  measure(
    target: TargetName,
    paths: readonly string[],
    load: { connections: number; warmUpMs: number; measureMs: number; requestsPerS?: number },
  ): Promise<LoadFigures>;
}

/** The service's default; the floor gets the same. */
const poolSize = 10;
const scopes: ApiKeyData['scopes'] = [{ scope: 'data:read' }];

/** Starts infrastructure, gateway, competition-read, the floor and the load generator. */
export async function startReadsStack(
  folders: StackFolders,
  { oneProcess }: Pick<ReadsOptions, 'oneProcess'>,
  progress: Progress,
  defer: (step: () => Promise<void> | void) => void,
): Promise<ReadsStack> {
  const stack = await WholeStack.start({
    folders,
    progress,
    ports: freePorts,
    seed: false,
    postgresSettings: productionPostgres(),
    only: ['competition-read', 'gateway', ...(oneProcess ? [] : (['competition-read-projector'] as const))],
  });
  defer(async () => void (await stack.stop()));
  const { addresses, secrets } = stack.infrastructure;
  const key = await publishKey(addresses.kafka_brokers.split(','));
  const { child: floor, first: listening } = await Child.start<never, FloorReport>(
    path.join(__dirname, 'floor.ts'),
    [addresses.database_url, `${poolSize}`],
    // The same as the service.
    readFlags,
  );
  defer(() => floor.stop());
  const { child: generator } = await Child.start<GeneratorCommand, GeneratorReport>(
    path.join(__dirname, 'generator.ts'),
  );
  defer(() => generator.stop());
  const at = (url: string): { host: string; port: number } => {
    const { hostname, port } = new URL(url);
    return { host: hostname, port: Number(port) };
  };
  const service = {
    ...at(stack.services.first('competition-read').url),
    prefix: '/data/v4',
    headers: { [internalTokenHeader]: secrets.internalToken, [scopesHeader]: encodeScopes(scopes) },
  };
  const gateway = { ...at(stack.services.publicUrl), prefix: '/data/v4', headers: { authorization: `Bearer ${key}` } };
  const ownFloor = { host: '127.0.0.1', port: listening.port, prefix: '', headers: {} };
  const targets: Record<TargetName, Target> = {
    service,
    uncached: service,
    gateway,
    uncachedGateway: gateway,
    floor: ownFloor,
    pageFloor: ownFloor,
  };
  await untilKeyIsKnown(stack, key);
  return {
    stack,
    targets,
    measure: async (target, paths, load) => {
      const { prefix, ...server } = targets[target];
      generator.tell({ ...server, ...load, paths: paths.map((path) => prefix + path), isNew: isNew(target) });
      const report = await generator.report();
      if (report.kind !== 'measured') throw new Error(`the generator reported ${report.kind}`);
      return report.load;
    },
  };
}

function isNew(target: TargetName): boolean {
  return target === 'uncached' || target === 'uncachedGateway';
}

/** Replaces linkage: publishes a data key with a rate limit that is never reached. */
async function publishKey(brokers: string[]): Promise<string> {
  const logger = pino({ level: 'error' });
  const kafka = createKafka({ brokers, clientId: 'bench', logger });
  const producer = new RecordProducer(kafka, { logger, registry: new Registry() });
  await producer.start();
  const { key, keyId, hash } = createKey('test', 'dt');
  const value = encodeRecord(apiKeyChanged, {
    id: randomUUID(),
    revision: 1,
    occurred_at: Date.now(),
    key: recordKey(keyId),
    source: 'linkage',
    data: {
      key_id: keyId,
      kind: 'data',
      hash,
      integration_id: null,
      platform: null,
      scopes,
      rate_per_second: 1_000_000,
      not_after: null,
      revoked_at: null,
    },
  });
  await producer.send({ topic: topics.apiKeys, key: recordKey(keyId), value }, { deadlineMs: Date.now() + 30_000 });
  await producer.stop();
  return key;
}

async function untilKeyIsKnown(stack: WholeStack, key: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${stack.services.publicUrl}/data/v4/games`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    if (response.status === 200) return;
    await sleep(100);
  }
}

/** The load of one measurement as set by the options. */
export function loadOf(options: ReadsOptions): { connections: number; warmUpMs: number; measureMs: number } {
  return {
    connections: options.connections,
    warmUpMs: options.warmUpS * 1000,
    measureMs: options.measureS * 1000,
  };
}
