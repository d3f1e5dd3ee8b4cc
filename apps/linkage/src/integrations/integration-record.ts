import { CodedError, ContractVersion, IntegrationData, integrationChanged, recordKey, topics } from '@podium/messages';
import { OutboxRecord, outboxRecord } from '@podium/runtime/outbox';
import { contractsInForce, fitsFrom } from './contract-versions-in-record';
import { withCurrencyVersions } from './currency-versions';
import { Contract } from '../entities/contract.entity';
import { Integration } from '../entities/integration.entity';

/** The fields of a contract version that its record states. */
export type RecordedContract = Pick<Contract, 'version' | 'inForceFrom' | 'events'>;

/** The record of an integration's complete state, with the contract versions that are or will be in force. */
export function integrationRecord(
  integration: Pick<Integration, 'integrationId' | 'platform' | 'partner' | 'organizerId' | 'status' | 'ratePerSecond'>,
  contracts: readonly RecordedContract[],
  nowMs: number,
): OutboxRecord {
  const data: IntegrationData = {
    integration_id: integration.integrationId,
    platform: integration.platform,
    partner: integration.partner,
    organizer_id: integration.organizerId,
    status: integration.status,
    rate_per_second: integration.ratePerSecond,
    contracts: contractsInForce(versionsOf(contracts), nowMs),
  };
  return outboxRecord({
    topic: topics.integrations,
    key: recordKey(integration.platform),
    definition: integrationChanged,
    data,
  });
}

/**
 * Throws `conflict`, with the time from which on the last version can be published, while the others leave it no room in the
 * record. Later records are not larger: as time passes, versions only leave them.
 */
export function requireRoom(contracts: readonly RecordedContract[], nowMs: number): void {
  const fromMs = fitsFrom(versionsOf(contracts), nowMs);
  if (fromMs <= nowMs) return;
  const from = new Date(Math.ceil(fromMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  throw new CodedError('conflict', {
    message: `events: the versions of the last hour and those that are scheduled are too large together; publish this one from ${from} on.`,
  });
}

function versionsOf(contracts: readonly RecordedContract[]): ContractVersion[] {
  return withCurrencyVersions(
    contracts.map(({ version, inForceFrom, events }) => ({ version, in_force_from: inForceFrom.getTime(), events })),
  );
}
