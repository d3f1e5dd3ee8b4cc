import { ContractVersion, IntegrationData, integrationChanged, recordKey, topics } from '@podium/messages';
import { OutboxRecord, outboxRecord } from '@podium/runtime/outbox';
import { contractsInForce } from './contract-versions-in-record';
import { withCurrencyVersions } from './currency-versions';
import { Contract } from '../entities/contract.entity';
import { Integration } from '../entities/integration.entity';

/** The record of an integration's complete state, with the contract versions that are or will be in force. */
export function integrationRecord(
  integration: Pick<Integration, 'integrationId' | 'platform' | 'partner' | 'organizerId' | 'status' | 'ratePerSecond'>,
  contracts: readonly Pick<Contract, 'version' | 'inForceFrom' | 'events'>[],
  nowMs: number,
): OutboxRecord {
  const data: IntegrationData = {
    integration_id: integration.integrationId,
    platform: integration.platform,
    partner: integration.partner,
    organizer_id: integration.organizerId,
    status: integration.status,
    rate_per_second: integration.ratePerSecond,
    contracts: contractsInForce(withCurrencyVersions(contracts.map(versionOf)), nowMs),
  };
  return outboxRecord({
    topic: topics.integrations,
    key: recordKey(integration.platform),
    definition: integrationChanged,
    data,
  });
}

function versionOf(contract: Pick<Contract, 'version' | 'inForceFrom' | 'events'>): ContractVersion {
  return { version: contract.version, in_force_from: contract.inForceFrom.getTime(), events: contract.events };
}
