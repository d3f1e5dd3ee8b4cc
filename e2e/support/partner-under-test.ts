import { randomBytes } from 'node:crypto';
import { RunningServices } from '../../tools/stack/running-services';
import { call, until } from '../../tools/seed/api';
import { linkUser } from '../../tools/seed/link-user';
import { PartnerApi } from './partner-api';

/** An event of a contract in an operator's request. */
export interface ContractedEvent {
  readonly name: string;
  readonly kind: 'one_off' | 'repeatable';
  readonly attributes: readonly ContractedAttribute[];
}

/** An attribute of such an event; a decimal that names its currency is money. */
export interface ContractedAttribute {
  readonly name: string;
  readonly type: string;
  readonly currency_attribute?: string;
  readonly currencies?: readonly string[];
  readonly non_negative?: boolean;
}

/** A user of the service, linked to an account of the partner. */
export interface LinkedUser {
  readonly userId: string;
  readonly token: string;
  /** Name of the account at the sandbox partner. */
  readonly account: string;
  readonly platformUserId: string;
}

/** The platform, contract, users and keys of a test's partner. */
export interface PartnerPlan {
  readonly platform: string;
  readonly contract: readonly ContractedEvent[];
  readonly users: number;
  /** Event keys, at most two; 1 by default. */
  readonly keys?: 1 | 2;
}

/** The services that set up a partner: the first gateway and the sandbox. */
export interface StackWithServices {
  readonly services: Pick<RunningServices, 'publicUrl' | 'of' | 'first'>;
}

/** A partner that a test has set up through the public API, with its keys and linked users. */
export class PartnerUnderTest {
  readonly keys: string[] = [];
  readonly users: LinkedUser[] = [];

  private constructor(
    readonly platform: string,
    readonly integrationId: string,
    private readonly gatewayUrl: string,
    private readonly gateways: readonly string[],
    private readonly sandboxUrl: string,
    private readonly operatorToken: string,
  ) {}

  /** Creates integration, contract, keys and users, and waits until every instance has applied them. */
  static async setUp(stack: StackWithServices, plan: PartnerPlan): Promise<PartnerUnderTest> {
    const { platform } = plan;
    const gatewayUrl = stack.services.publicUrl;
    const sandboxUrl = stack.services.first('sandbox').url;
    const operatorToken = await mintToken(sandboxUrl, 'test-operator', { '*': 'admin' });
    const client = { client_id: 'podium', client_secret: randomBytes(24).toString('base64url') };
    const partnerUrl = `${sandboxUrl}/partners/${platform}`;
    const made = await call<{ integration_id: string; onboarding: { test: { redirect_url: string } } }>(
      'POST',
      `${gatewayUrl}/admin/v1/integrations`,
      {
        token: operatorToken,
        body: {
          platform,
          partner: `Partner ${platform}`,
          organizer_id: `organizer-${platform}`,
          display_name: platform,
          authorization_url: `${partnerUrl}/authorize`,
          base_url: partnerUrl,
          ...client,
        },
      },
    );
    await call('PUT', `${sandboxUrl}/dev/partners/${platform}`, {
      body: { client: { ...client, redirect_url: made.onboarding.test.redirect_url } },
    });
    const gateways = stack.services.of('gateway').map(({ url }) => url);
    const id = made.integration_id;
    const partner = new PartnerUnderTest(platform, id, gatewayUrl, gateways, sandboxUrl, operatorToken);
    await partner.publishContract(plan.contract);
    for (let count = plan.keys ?? 1; count > 0; count--) await partner.addKey();
    for (let number = 1; number <= plan.users; number++) await partner.addUser(`${platform}-user-${number}`);
    return partner;
  }

  /** Creates and publishes a task and returns its id. */
  async addTask(task: object): Promise<string> {
    const { task_id } = await this.admin<{ task_id: string }>('POST', '/tasks', {
      platform: this.platform,
      ...task,
    });
    await this.publish(`/tasks/${task_id}`);
    return task_id;
  }

  /** Creates and publishes a segment and returns its id. */
  async addSegment(segment: object): Promise<string> {
    const { segment_id } = await this.admin<{ segment_id: string }>('POST', '/segments', {
      platform: this.platform,
      ...segment,
    });
    await this.publish(`/segments/${segment_id}`);
    return segment_id;
  }

  /** Pauses or resumes a task; returns its state. */
  async moveTask(taskId: string, verb: 'pause' | 'resume'): Promise<string> {
    const { state } = await this.admin<{ state: string }>('POST', `/tasks/${taskId}/${verb}`);
    return state;
  }

  /** Publishes a definition, as another operator than those who write definitions in tests. */
  async publish(path: string): Promise<void> {
    await this.approve(`${path}/publish`, {});
  }

  /** Gives rates of exchange for the partner's organizer and approves them. */
  async addRates(rates: readonly { from: string; to: string; day: string; rate: string }[]): Promise<void> {
    const body = { organizer_id: `organizer-${this.platform}`, rates };
    await this.admin('POST', '/rates', body);
    await this.approve('/rates/approve', body);
  }

  private async approve(path: string, body: object): Promise<void> {
    // The release before knows no approver: it takes the editor.
    const roles = { '*': 'editor', [`organizer-${this.platform}`]: 'approver' };
    const token = await mintToken(this.sandboxUrl, 'test-approver', roles);
    await call('POST', `${this.gatewayUrl}/admin/v1${path}`, { token, body });
  }

  /** Links a user, or relinks an unlinked one. */
  async link({ token, account }: Pick<LinkedUser, 'token' | 'account'>): Promise<void> {
    const { gatewayUrl, integrationId } = this;
    await linkUser({ gatewayUrl, userToken: token, integrationId, account });
  }

  /** Requests the unlinking of a user. */
  async unlink({ token }: LinkedUser): Promise<void> {
    await call('DELETE', `${this.gatewayUrl}/v1/me/links/${this.integrationId}`, { token });
  }

  /** A user's link from the operators' API; times are Unix ms. */
  async linkOf({ platformUserId }: LinkedUser): Promise<{ state: string; unlinkedAtMs: number | null }> {
    const query = new URLSearchParams({ platform: this.platform, platform_user_id: platformUserId });
    const { items } = await this.admin<{ items: { state: string; unlinked_at: string | null }[] }>(
      'GET',
      `/links?${query.toString()}`,
    );
    if (!items[0]) throw new Error(`operators see no link of ${platformUserId}`);
    const { state, unlinked_at } = items[0];
    return { state, unlinkedAtMs: unlinked_at === null ? null : Date.parse(unlinked_at) };
  }

  /** Allows so many events a second, for all keys together; resolves when every gateway applies it, to the size of batches too. */
  async setRate(perSecond: number): Promise<void> {
    await this.admin('PATCH', `/integrations/${this.integrationId}`, { rate_per_second: perSecond });
    for (const gateway of this.gateways) {
      const api = new PartnerApi(gateway, this.keys[0], this.platform);
      await until(`${gateway} applying a rate of ${perSecond}`, 15_000, async () => {
        const { headers } = await api.post('{}');
        return headers.get('ratelimit-limit')?.startsWith(`${perSecond},`) ? true : undefined;
      });
    }
  }

  /** Publishes a version of the contract and waits until it is in force everywhere. */
  async publishContract(contract: readonly ContractedEvent[]): Promise<void> {
    const path = `/integrations/${this.integrationId}/contracts`;
    await this.admin('POST', path, { events: contract });
    await until(`the contract of ${this.platform} being in force`, 30_000, async () => {
      const { items } = await this.admin<{ items: { in_force_at: string | null }[] }>('GET', path);
      return items[0]?.in_force_at ?? undefined;
    });
  }

  private async addKey(): Promise<void> {
    const { key } = await this.admin<{ key: string }>('POST', `/integrations/${this.integrationId}/keys`, {});
    for (const gateway of this.gateways) {
      const api = new PartnerApi(gateway, key, this.platform);
      await until(`${gateway} knowing a new key`, 15_000, async () =>
        (await api.post('{}')).status === 400 ? true : undefined,
      );
    }
    this.keys.push(key);
  }

  /** Links one more user, to an account of the same name. */
  async addUser(name: string): Promise<LinkedUser> {
    const user = { userId: name, token: await mintToken(this.sandboxUrl, name), account: name };
    await this.link(user);
    const { accounts } = await call<{ accounts: { sub: string; nickname: string }[] }>(
      'GET',
      `${this.sandboxUrl}/dev/partners/${this.platform}`,
    );
    const account = accounts.find(({ nickname }) => nickname === name);
    if (!account) throw new Error(`the sandbox partner does not know ${name}`);
    const linked = { ...user, platformUserId: account.sub };
    this.users.push(linked);
    return linked;
  }

  private admin<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> {
    return call<T>(method, `${this.gatewayUrl}/admin/v1${path}`, { token: this.operatorToken, body });
  }
}

/** The first day, counted from today, of which the events count in a counting task. */
export const countedDays = -30;

/** The start of a UTC day, so many days from today. */
export function startOfUtcDay(days: number): string {
  const dayMs = 86_400_000;
  return new Date((Math.floor(Date.now() / dayMs) + days) * dayMs).toISOString();
}

/** A task that awards 1 point for every `every`-th event of a name. */
export function countingTask(event: string, every: number): object {
  return {
    name: `Every ${every} of ${event}`,
    goal: { count: { event }, window: { lifetime: true }, op: 'gte', value: every },
    repeat: { every: `${every}` },
    max_per_user: 100_000,
    max_per_event: 1_000,
    starts_at: startOfUtcDay(countedDays),
    // An event of before the start renumbers what came after it: what is no longer owed is taken back.
    claw_back: 'always',
    reward: { type: 'points', amount: '1', currency: 'PTS' },
  };
}

/** A token of the sandbox's identity provider. */
export async function mintToken(sandboxUrl: string, sub: string, podiumRoles?: object): Promise<string> {
  const { access_token } = await call<{ access_token: string }>('POST', `${sandboxUrl}/dev/tokens`, {
    body: { sub, podium_roles: podiumRoles },
  });
  return access_token;
}
