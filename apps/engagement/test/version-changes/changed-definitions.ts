import { ContractAttribute, ContractEvent, IntegrationData, recordKey } from '@podium/messages';
import { Operator, OperatorRole } from '@podium/runtime/http';
import { Catalogue } from '../../src/definitions/catalogue';
import { checkSegment, type GivenSegment } from '../../src/definitions/check-segment';
import { checkTask, type GivenTask } from '../../src/definitions/check-task';
import { DefinitionsService } from '../../src/definitions/definitions.service';
import { DefinitionsStore } from '../../src/definitions/definitions.store';
import { GivenVersion } from '../../src/definitions/draft-version';
import type { Plan } from './plan';
import type { PlannedChange } from './plan-definitions';

const editor = operator('editor-1', 'editor');
const approver = operator('approver-1', 'approver');
const states = { pause: 'paused', resume: 'published', end: 'ended' } as const;

/** What operators have published, as it must be stored. */
export interface ExpectedDefinition {
  readonly name: string;
  readonly definitionId: string;
  /** Unix seconds, oldest first. */
  readonly inForceFrom: readonly number[];
  /** Unix seconds. */
  readonly endedAt: number | null;
}

/** Makes the changes of a plan as two operators do. */
export class ChangedDefinitions {
  private readonly service: DefinitionsService;
  private readonly known = new Map<string, ExpectedDefinition>();

  constructor(
    store: DefinitionsStore,
    private readonly plan: Pick<Plan, 'platform'>,
    now: () => Date,
  ) {
    const catalogue = new Catalogue();
    catalogue.apply(recordKey(plan.platform), { data: integration(plan.platform) } as never);
    this.service = new DefinitionsService(store, catalogue, now);
  }

  get expected(): readonly ExpectedDefinition[] {
    return [...this.known.values()];
  }

  async make(change: PlannedChange): Promise<void> {
    if (change.does === 'publish') return this.publish(change);
    const { kind, definition: name } = change;
    const known = this.known.get(name)!;
    await this.service.move(kind, editor, known.definitionId, states[change.does]);
    if (change.does === 'end') this.known.set(name, { ...known, endedAt: change.endedAt });
  }

  private async publish(change: Extract<PlannedChange, { does: 'publish' }>): Promise<void> {
    const { kind, definition: name, statedInForceFrom: stated, inForceFrom } = change;
    const known = this.known.get(name);
    const given = this.versionOf(change);
    const versions = known
      ? await this.service.addVersion(kind, editor, known.definitionId, given)
      : await this.service.create(kind, editor, this.plan.platform, given);
    const { definitionId, version } = versions[versions.length - 1];
    await this.service.publish(kind, approver, definitionId, {
      version,
      ...(stated === null ? {} : { in_force_from: new Date(stated * 1000).toISOString() }),
      ...(kind === 'task' ? { rewards_without_events: true } : {}),
    });
    const before = known?.inForceFrom ?? [];
    this.known.set(name, { name, definitionId, inForceFrom: [...before, inForceFrom], endedAt: null });
  }

  private versionOf({ kind, definition: name, body }: Extract<PlannedChange, { does: 'publish' }>): GivenVersion {
    const text = JSON.stringify(body).replace(/"\$([^"]+)"/g, (_all, id: string) =>
      JSON.stringify(this.known.get(id)!.definitionId),
    );
    const given: unknown = JSON.parse(text);
    return {
      name,
      check: (catalogue) =>
        kind === 'task' ? checkTask(given as GivenTask, catalogue) : checkSegment(given as GivenSegment, catalogue),
    };
  }
}

function operator(operatorId: string, role: OperatorRole): Operator {
  return { operatorId, roles: new Map([['organizer-1', [role]]]) };
}

function integration(platform: string): IntegrationData {
  const event = (name: string, attribute: ContractAttribute): ContractEvent => ({
    ...{ name, attributes: [attribute] },
    kind: 'repeatable',
  });
  return {
    ...{ integration_id: platform, platform, partner: platform, organizer_id: 'organizer-1' },
    status: 'active',
    contracts: [
      {
        ...{ version: 1, in_force_from: 0 },
        events: [
          event('deposit', { name: 'amount', type: 'decimal', non_negative: true }),
          event('bet', { name: 'game', type: 'string' }),
          event('kyc', { name: 'status', type: 'string' }),
        ],
      },
    ],
  };
}
