import {
  ContractVersion,
  IntegrationData,
  RecordOf,
  eventRatePerSecond,
  integrationChanged,
  recordKeyParts,
  topics,
} from '@podium/messages';
import { CompactedTopicView, Kafka } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { CompiledContract, compileContract } from './contract-check';

/** A platform's integration with its contracts. */
export interface PlatformContract {
  readonly integrationId: string;
  readonly organizerId: string;
  /** Requests per second over all keys, and their burst. */
  readonly ratePerSecond: number;
  /** As negotiated, oldest first. */
  readonly declared: readonly ContractVersion[];
  /** Newest first, by the time from which they are in force. */
  readonly versions: readonly { readonly inForceFromMs: number; readonly contract: CompiledContract }[];
}

/** Integrations and their contracts, compiled when their record arrives. */
export class Contracts {
  private readonly platforms = new Map<string, PlatformContract>();

  /** The platform's integration; `undefined`, which causes 503, when its record is unreadable or has not arrived yet. */
  of(platform: string): PlatformContract | undefined {
    return this.platforms.get(platform);
  }

  apply(platform: string, integration: IntegrationData | null): void {
    if (integration === null) this.platforms.delete(platform);
    else this.platforms.set(platform, compileIntegration(integration));
  }

  /** Removes an outdated contract: it would refuse events or drop attributes that were negotiated since. */
  forget(platform: string): void {
    this.platforms.delete(platform);
  }
}

/**
 * The contract in force at the time of receipt (Unix ms, the gateway's clock); `undefined` before the first one. It does not
 * depend on `created_at`, because initial events are old.
 */
export function contractAt(platform: PlatformContract, receivedAtMs: number): CompiledContract | undefined {
  return platform.versions.find(({ inForceFromMs }) => inForceFromMs <= receivedAtMs)?.contract;
}

/** The version in force at a time (Unix ms) as it was negotiated; `undefined` before the first one. */
export function versionAt(platform: PlatformContract, atMs: number): ContractVersion | undefined {
  const compiled = contractAt(platform, atMs);
  return platform.declared.find(({ version }) => version === compiled?.version);
}

/** Keeps contracts from the integrations' topic, which each instance reads whole. */
export function createContractView(
  contracts: Contracts,
  options: {
    kafka: Kafka;
    instance: string;
    logger: Logger;
    registry: Registry;
    onFatal: (error: Error) => void;
    row?: typeof topics.integrations;
  },
): CompactedTopicView<typeof integrationChanged> {
  const { row = topics.integrations, ...rest } = options;
  return new CompactedTopicView({
    ...rest,
    row,
    viewGroup: 'ingestion.contract-view',
    apply: (key, record: RecordOf<typeof integrationChanged> | null) =>
      contracts.apply(record?.data.platform ?? platformOf(key), record?.data ?? null),
    onUnreadable: (key) => contracts.forget(platformOf(key)),
  });
}

function platformOf(key: string): string {
  return recordKeyParts(key)?.[0] ?? key;
}

function compileIntegration(integration: IntegrationData): PlatformContract {
  return {
    integrationId: integration.integration_id,
    organizerId: integration.organizer_id,
    ratePerSecond: integration.rate_per_second ?? eventRatePerSecond,
    declared: integration.contracts,
    versions: integration.contracts
      .map((contract) => ({ inForceFromMs: contract.in_force_from, contract: compileContract(contract) }))
      .sort((a, b) => b.inForceFromMs - a.inForceFromMs || b.contract.version - a.contract.version),
  };
}
