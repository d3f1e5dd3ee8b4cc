import { CodedError, ContractEvent } from '@podium/messages';
import { Operator, Page, PageQuery, keyInCursor, pageOf } from '@podium/runtime/http';
import { entityQueryable } from '@podium/runtime/postgres';
import { DataSource, EntityManager, LessThan } from 'typeorm';
import { appendAudit } from '../audit/audit.store';
import { Integration } from '../integrations/integration.entity';
import { IntegrationStore, publishIntegration } from '../integrations/integration.store';
import { checkAdditive } from './additive-rule';
import { ContractEventDto, ContractReply, PublishContractDto } from './contract.dto';
import { Contract } from './contract.entity';

/** Most versions that may wait for their time: with those of the last hour they share one record of at most 1 MiB. */
const maxKeptVersions = 20;

/** Publishes and shows what integrations negotiated. */
export class ContractService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly integrations: IntegrationStore,
  ) {}

  /** Publishes a version; throws `unprocessable` with the offending name when it is not additive. */
  async publish(operator: Operator, integrationId: string, dto: PublishContractDto): Promise<ContractReply> {
    return this.dataSource.transaction(async (manager) => {
      const integration = await this.integrations.lock(manager, operator, integrationId, 'editor');
      const latest = await manager.findOne(Contract, { where: { integrationId }, order: { version: 'DESC' } });
      const events = dto.events.map(eventOf);
      checkAdditive(latest?.events ?? [], events);
      const inForceFrom = timeInForce(dto.in_force_from, new Date());
      const draft = { version: (latest?.version ?? 0) + 1, events, inForceFrom };
      await checkRoom(manager, integrationId, inForceFrom);
      const outboxId = await publishIntegration(manager, integration, [draft]);
      const contract = await insert(manager, { ...draft, integrationId, outboxId, createdBy: operator.operatorId });
      await auditPublished(manager, operator, integration, contract);
      return replyOf(contract);
    });
  }

  /** Versions, newest first. */
  async list(operator: Operator, integrationId: string, query: PageQuery): Promise<Page<ContractReply>> {
    await this.integrations.get(operator, integrationId);
    const [before] = keyInCursor(query.cursor, ['number']) ?? [null];
    const rows = await this.dataSource.manager.find(Contract, {
      where: { integrationId, ...(before === null ? {} : { version: LessThan(before) }) },
      order: { version: 'DESC' },
      take: query.limit + 1,
    });
    return pageOf(rows, query.limit, (row) => [row.version], replyOf);
  }
}

async function insert(
  manager: EntityManager,
  draft: Omit<Contract, 'barrierOffset' | 'inForceAt' | 'createdAt'>,
): Promise<Contract> {
  await manager.insert(Contract, { ...draft, barrierOffset: null, inForceAt: null });
  return manager.findOneByOrFail(Contract, { integrationId: draft.integrationId, version: draft.version });
}

/** Ingestion judges by time of receipt, and what was received is decided: the past cannot be renegotiated. */
function timeInForce(given: string | undefined, now: Date): Date {
  if (given === undefined) return now;
  const from = new Date(given);
  if (Number.isNaN(from.getTime()) || from.getTime() < now.getTime())
    throw new CodedError('unprocessable', {
      message: 'in_force_from: lies in the past; leave it out to have the contract in force now.',
    });
  return from;
}

async function checkRoom(manager: EntityManager, integrationId: string, inForceFrom: Date): Promise<void> {
  const recently = new Date(Date.now() - 60 * 60 * 1000);
  const kept = await manager
    .createQueryBuilder(Contract, 'contract')
    .where('contract.integrationId = :integrationId', { integrationId })
    .andWhere('contract.inForceFrom > :recently AND contract.inForceFrom < :inForceFrom', { recently, inForceFrom })
    .getCount();
  if (kept >= maxKeptVersions)
    throw new CodedError('conflict', {
      message: `${kept} versions were published within the last hour or wait for their time; publish the next one later.`,
    });
}

function auditPublished(
  manager: EntityManager,
  operator: Operator,
  integration: Integration,
  contract: Contract,
): Promise<void> {
  return appendAudit(entityQueryable(manager), {
    actor: operator.operatorId,
    action: 'contract.published',
    subject: `integration:${integration.integrationId}`,
    organizerId: integration.organizerId,
    detail: {
      version: contract.version,
      in_force_from: contract.inForceFrom.toISOString(),
      events: contract.events.length,
    },
  });
}

/** Only the fields of the contract, in one order; `retired` only where true. */
function eventOf(dto: ContractEventDto): ContractEvent {
  return {
    name: dto.name,
    kind: dto.kind,
    attributes: dto.attributes.map(({ name, type, retired }) => ({ name, type, ...(retired ? { retired } : {}) })),
    ...(dto.retired ? { retired: true } : {}),
  };
}

function replyOf(contract: Contract): ContractReply {
  return {
    version: contract.version,
    events: contract.events,
    in_force_from: contract.inForceFrom.toISOString(),
    in_force_at: contract.inForceAt?.toISOString() ?? null,
    created_at: contract.createdAt.toISOString(),
    created_by: contract.createdBy,
  };
}
