import { BatchedEvent, IntegrationData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Clocks } from '@podium/runtime/work';
import { AccountRef, accountKey } from '../src/accounts/account';
import { AdmissionMetrics } from '../src/admission/admission-metrics';
import { BatchAdmission } from '../src/admission/admit-batch';
import { Contracts } from '../src/contract-view/contracts';
import { EventIdentity } from '../src/dedup/event-identity';
import { InFlightEvents } from '../src/dedup/in-flight-events';
import { DriftCounts } from '../src/drift/drift-counts';
import { AdmissionOutcome } from '../src/event/outcome';
import { ActiveLink } from '../src/link-view/link-view';
import { AdmittedEvent, EventPublisher } from '../src/publishing/event-publisher';
import { RefusalCounts } from '../src/refusals/refusal-counts';
import { RefusedEvents } from '../src/refusals/refused-events';

export const nowMs = Date.UTC(2026, 0, 15, 12);
export const farMs = nowMs + 4000;

/** The dependencies of admission, in memory; a test can make each unavailable. */
export class AdmissionWorld {
  readonly marks = new Map<string, string>();
  readonly linked = new Set(['acme/p-1', 'zenith/p-1']);
  readonly published: AdmittedEvent[] = [];
  readonly asked: string[] = [];
  readonly contracts = new Contracts();
  readonly refusals = new RefusalCounts(() => nowMs);
  readonly refusedEvents = new RefusedEvents(() => nowMs);
  readonly drift = new DriftCounts(() => nowMs);
  redisAway = false;
  linksAway = false;
  linksHang = false;
  publish: (event: AdmittedEvent) => Promise<AdmissionOutcome> = async (event) => ({
    kind: 'accepted',
    dropped: event.check.dropped,
    warnings: event.check.values.notParsed.map(({ warning }) => warning),
  });
  readonly admission: BatchAdmission;

  constructor(parts: { readonly publisher?: Pick<EventPublisher, 'publish'>; readonly clocks?: Clocks } = {}) {
    for (const platform of ['acme', 'zenith']) this.contracts.apply(platform, integration(platform));
    this.admission = new BatchAdmission({
      marks: { find: (identities) => this.find(identities), mark: (identities) => this.mark(identities) },
      inFlightEvents: new InFlightEvents(),
      contracts: this.contracts,
      links: { find: (accounts) => this.findLinks(accounts) },
      publisher: {
        publish: async (events) => {
          const outcomes = await Promise.all(events.map((event) => this.publish(event)));
          this.published.push(...events.filter((_event, at) => outcomes[at].kind === 'accepted'));
          return outcomes;
        },
      },
      ...{ refusals: this.refusals, refusedEvents: this.refusedEvents, drift: this.drift },
      metrics: new AdmissionMetrics(new Registry()),
      logger: createLog({ service: 'test', instance: 'test', level: 'silent' }),
      clocks: { timeOfDay: () => nowMs, monotonic: () => nowMs },
      ...parts,
    });
  }

  async send(...events: BatchedEvent[]): Promise<{ status: number; retryAfterS: number; outcome: string }[]> {
    const answers = await this.admission.admit(events, farMs);
    return answers.map(({ status, retryAfterS, body }) => {
      const parsed = JSON.parse(body.toString()) as { outcome?: string; error?: { code: string } };
      return { status, retryAfterS, outcome: parsed.outcome ?? parsed.error?.code ?? '' };
    });
  }

  async outcomes(...events: BatchedEvent[]): Promise<string[]> {
    return (await this.send(...events)).map(({ outcome }) => outcome);
  }

  private async find(identities: readonly EventIdentity[]): Promise<(string | null)[] | undefined> {
    this.asked.push('marks');
    if (this.redisAway) return undefined;
    return identities.map(({ recordId }) => this.marks.get(recordId) ?? null);
  }

  private async mark(identities: readonly EventIdentity[]): Promise<void> {
    if (!this.redisAway) for (const { recordId, content } of identities) this.marks.set(recordId, content);
  }

  private async findLinks(accounts: readonly AccountRef[]): Promise<Map<string, ActiveLink>> {
    this.asked.push('links');
    if (this.linksAway) throw new Error('Postgres is unavailable');
    if (this.linksHang) await new Promise(() => undefined);
    const known = accounts.filter(({ platform, platformUserId }) => this.linked.has(`${platform}/${platformUserId}`));
    return new Map(known.map((account) => [accountKey(account), linkOf(account)]));
  }
}

/** The parts of an event that differ from the usual one. */
export interface Sent {
  platform?: string;
  /** Platform of the caller's key. */
  key?: string;
  user?: string;
  id?: string;
  name?: string;
  createdAt?: number;
  receivedAtMs?: number;
  attributes?: [string, string][];
}

/** Attributes, each as `name=value`. */
export function pairs(...given: string[]): [string, string][] {
  return given.map((pair) => pair.split('=') as [string, string]);
}

/** An event as the gateway passes it on: of acme, with its key. */
export function event(sent: Sent): BatchedEvent {
  const platform = sent.platform ?? 'acme';
  const body = {
    platform,
    platform_user_id: sent.user ?? 'p-1',
    event: {
      id: sent.id ?? 'e-1',
      name: sent.name ?? 'deposit',
      created_at: sent.createdAt ?? 1_700_000_000,
      attributes: (sent.attributes ?? []).map(([name, value]) => ({ name, value })),
    },
  };
  return {
    platform: sent.key ?? platform,
    requestId: 'r-1',
    receivedAtMs: sent.receivedAtMs ?? nowMs,
    traceparent: '',
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** An integration that negotiated a repeatable deposit with an amount. */
export function integration(platform: string): IntegrationData {
  const attributes = [{ name: 'amount', type: 'decimal' as const }];
  return {
    integration_id: `integration-of-${platform}`,
    platform,
    partner: platform,
    organizer_id: 'org-1',
    status: 'active',
    contracts: [{ version: 1, in_force_from: 0, events: [{ name: 'deposit', kind: 'repeatable', attributes }] }],
  };
}

function linkOf(account: AccountRef): ActiveLink {
  return { ...account, userId: 'u-1', linkId: 'l-1', organizerId: 'org-1', linkedAtS: 1_700_000_000 };
}
