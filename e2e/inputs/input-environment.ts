import { call } from '../../tools/seed/api';
import type { Showcase } from '../../tools/competition/world/showcase';
import { WholeStack } from '../../tools/stack/whole-stack';
import { sampleArgs } from '../competition/samples';
import { StackDescription } from '../support/demo-stack';
import { ContractedEvent, PartnerUnderTest, mintToken } from '../support/partner-under-test';
import { operationsOf } from './open-api';
import { Samples } from './schema-values';

/** The stack under test, its partners and the real values for requests. */
export interface InputEnvironment {
  readonly gatewayUrl: string;
  /** Partners whose events are sent, enough that none reaches its rate limit. */
  readonly partners: readonly PartnerUnderTest[];
  /** A partner that requests of operators and users may change in any way. */
  readonly victim: PartnerUnderTest;
  /** A partner that only the well-behaved client uses. */
  readonly calm: PartnerUnderTest;
  readonly operatorToken: string;
  readonly dataKey: string;
  readonly showcase: Showcase;
  /** Values that no response may contain. */
  readonly secrets: readonly string[];
}

const contract: ContractedEvent[] = [
  { name: 'deposit', kind: 'repeatable', attributes: [{ name: 'amount', type: 'decimal' }] },
  { name: 'registration', kind: 'one_off', attributes: [] },
];

/** Sets up partners on the seeded stack. */
export async function setUpWorld(stack: WholeStack, partnerCount: number): Promise<InputEnvironment> {
  const description = stack.describe() as unknown as StackDescription;
  const gatewayUrl = stack.services.publicUrl;
  const operatorToken = await mintToken(stack.services.first('sandbox').url, 'inputs-operator', { '*': 'admin' });
  const setUp = (platform: string): Promise<PartnerUnderTest> =>
    PartnerUnderTest.setUp(stack, { platform, contract, users: 1 });
  const names = ['victim', 'calm', ...Array.from({ length: partnerCount }, (_, at) => `partner-${at + 1}`)];
  const run = Date.now().toString(36);
  const partners: PartnerUnderTest[] = [];
  // A few at a time, because each waits for its contract and its key.
  for (let at = 0; at < names.length; at += 4)
    partners.push(...(await Promise.all(names.slice(at, at + 4).map((name) => setUp(`${name}-${run}`)))));
  const { key: dataKey } = await call<{ key: string }>('POST', `${gatewayUrl}/admin/v1/keys`, {
    token: operatorToken,
    body: { name: 'Inputs', scopes: [{ scope: 'data:read' }], rate_per_second: 10_000 },
  });
  const [victim, calm, ...rest] = partners;
  const { internalToken, oidcClientSecret, vaultKeys, sessionKeys, postgresPassword, rolePasswords } =
    stack.infrastructure.secrets;
  const ownSecrets = [internalToken, oidcClientSecret, postgresPassword, ...Object.values(rolePasswords)];
  return {
    gatewayUrl,
    partners: rest,
    victim,
    calm,
    operatorToken,
    dataKey,
    showcase: description.competition,
    secrets: [...ownSecrets, ...[vaultKeys, sessionKeys].map((ring) => ring.split(':')[1])],
  };
}

/** Real values for the events of a partner. */
export function samplesOfPartner(partner: PartnerUnderTest): Samples {
  return {
    platform: [partner.platform],
    platform_user_id: partner.users.map(({ platformUserId }) => platformUserId),
    name: ['deposit', 'registration', 'amount'],
  };
}

/** Real values of the victim for requests of operators and users. */
export function samplesOfVictim({ victim }: InputEnvironment): Samples {
  return {
    platform: [victim.platform],
    integration_id: [victim.integrationId],
    user_id: victim.users.map(({ userId }) => userId),
    platform_user_id: victim.users.map(({ platformUserId }) => platformUserId),
    organizer_id: [`organizer-${victim.platform}`],
    event: ['deposit', 'registration'],
  };
}

/** Real values for reads of competition data, by operation and name. */
export function samplesOfCompetition({ showcase }: InputEnvironment): Samples {
  const samples: Record<string, string[]> = {};
  for (const { id } of operationsOf('competition-data'))
    for (const [name, value] of Object.entries(sampleArgs(id, showcase))) {
      samples[`${id}.${name}`] = [value];
      samples[name] = [...new Set([...(samples[name] ?? []), value])];
    }
  return samples;
}
