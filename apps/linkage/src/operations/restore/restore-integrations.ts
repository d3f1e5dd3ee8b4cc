import { IntegrationData } from '@podium/messages';
import { appendOutbox } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { appendAudit } from '../../audit/audit.store';
import { integrationRecord } from '../../integrations/integration-record';
import { schema } from '../../migrations/schema';
import { ToldState, addContracts, addIntegration, rateOf, takeStatusAndRate } from './restored-integrations.store';

/** What was restored from the topic of integrations. */
export interface RestoredIntegrations {
  /** Platforms restored as paused, without the connection settings of their partner's server. */
  readonly incomplete: readonly string[];
  /** Existing ones whose status or rate differed. */
  readonly paused_or_resumed: number;
  readonly contracts: number;
}

/** Updates integrations to their published state; a missing integration is restored as paused. */
export async function takeIntegrations(
  tx: Queryable,
  published: readonly ToldState<IntegrationData>[],
  by: string,
): Promise<RestoredIntegrations> {
  const incomplete: string[] = [];
  let moved = 0;
  let contracts = 0;
  for (const state of published) {
    const { data } = state;
    const isNew = await addIntegration(tx, state);
    const status = isNew ? 'paused' : await takeStatusAndRate(tx, data);
    const hasMoved = !isNew && status !== null;
    const added = await addContracts(tx, state, by);
    contracts += added;
    if (hasMoved) moved++;
    if (isNew) {
      incomplete.push(data.platform);
      await appendOutbox(tx, schema, [pausedRecord(data)]);
    }
    if (!isNew && !hasMoved && added === 0) continue;
    await appendAudit(tx, {
      actor: by,
      action: 'integration.restored',
      subject: `integration:${data.integration_id}`,
      organizerId: data.organizer_id,
      detail: { ...(status === null ? {} : { status }), contracts: added, from: 'topic' },
    });
  }
  return { incomplete, paused_or_resumed: moved, contracts };
}

function pausedRecord(data: IntegrationData) {
  return integrationRecord(
    {
      integrationId: data.integration_id,
      platform: data.platform,
      partner: data.partner,
      organizerId: data.organizer_id,
      status: 'paused',
      ratePerSecond: rateOf(data),
    },
    data.contracts.map(({ version, in_force_from, events }) => ({
      version,
      events,
      inForceFrom: new Date(in_force_from),
    })),
    Date.now(),
  );
}
