import type { FastifyReply } from 'fastify';
import { CodedError } from '@podium/messages';
import { Pages } from '../src/connect/pages';
import { english } from '../src/connect/texts';
import { LinkFailureReason, LinkOutcome } from '../src/links/link-outcome';
import { LinkProblem } from '../src/links/reauth-reason';
import { UserPartner } from '../src/links/user-links';
import { PartnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';

/** Names that the pages take from data; every other text is from the catalogue. */
export const shownNames = { partner: '7-Bets مرحبا', nickname: '9-Nick 🎲', user: '8-Maria' };

/** A page as it was sent. */
export interface SentPage {
  readonly status: number;
  readonly html: string;
}

/** A state of /connect, by a name for reports. */
export interface ConnectState {
  readonly name: string;
  readonly render: (pages: Pages, reply: FastifyReply) => void;
}

const session = { sessionId: 's', userId: 'u', name: shownNames.user };
const integrationId = '0f8fad5b-d9cb-469f-a165-70867728950e';

type Link = NonNullable<UserPartner['link']>;

function partnerWith(link: Partial<Link> | null, paused = false, at = 0): UserPartner {
  const full: Link = {
    link_id: integrationId,
    state: 'ready',
    nickname: shownNames.nickname,
    problem: null,
    refreshable: true,
    linked_at: '2026-03-04T05:06:07.000Z',
    ready_at: '2026-03-04T05:06:08.000Z',
    ...link,
  };
  return {
    integration_id: integrationId.replace(/.$/, at.toString(36)),
    platform: 'p',
    display_name: shownNames.partner,
    link: link && full,
    paused,
  };
}

const problems = Object.keys(english.problems) as LinkProblem[];
const reasons = Object.keys(english.failures) as LinkFailureReason[];
const codes = Object.keys(english.partnerReasons) as PartnerErrorCode[];

/** One row for each state that a link can have. */
const rows = [
  partnerWith(null, false, 0),
  partnerWith(null, true, 1),
  partnerWith({ state: 'linking', ready_at: null }, false, 2),
  partnerWith({}, false, 3),
  partnerWith({ state: 'refreshing' }, false, 4),
  partnerWith({ refreshable: false }, false, 5),
  partnerWith({ problem: 'grant_state_unknown' }, false, 6),
  partnerWith({ state: 'unlinked' }, false, 7),
  partnerWith({ state: 'needs_reauth' }, true, 8),
  ...problems.map((problem, at) => partnerWith({ state: 'needs_reauth', problem }, false, 10 + at)),
];

function failed(reason: LinkFailureReason, partnerCode: PartnerErrorCode | null = null): LinkOutcome {
  return { kind: 'failed', reason, displayName: shownNames.partner, partnerCode, returnTo: null };
}

function linked(ready: boolean): LinkOutcome {
  const { partner: displayName, nickname } = shownNames;
  return {
    kind: 'linked',
    integrationId,
    displayName,
    nickname,
    ready,
    returnTo: ready ? 'https://play.example/' : null,
  };
}

function tested(reason: LinkFailureReason | null): LinkOutcome {
  const isSuccess = reason === null;
  return { kind: 'tested', displayName: shownNames.partner, isSuccess, reason, partnerCode: null };
}

const outcomes: readonly [string, LinkOutcome][] = [
  ['linked', linked(true)],
  ['linking', linked(false)],
  ['no partner', { ...failed('not_recognised'), displayName: null } as LinkOutcome],
  ...reasons.map((reason): [string, LinkOutcome] => [reason, failed(reason)]),
  ...codes.map((code): [string, LinkOutcome] => [`partner said ${code}`, failed('partner_said_no', code)]),
  ['test goes on', { kind: 'testing', displayName: shownNames.partner }],
  ['test succeeded', tested(null)],
  ...reasons.map((reason): [string, LinkOutcome] => [`test ${reason}`, tested(reason)]),
];

/** All states of the pages of /connect. */
export const connectStates: readonly ConnectState[] = [
  { name: 'welcome', render: (pages, reply) => pages.welcome(reply) },
  {
    name: 'partners',
    render: (pages, reply) => pages.partners(reply, session, { partners: rows, disconnected: null }),
  },
  {
    name: 'no partners',
    render: (pages, reply) => pages.partners(reply, session, { partners: [], disconnected: null }),
  },
  ...[partnerWith(null), partnerWith({ state: 'unlinked' })].map((disconnected): ConnectState => ({
    name: disconnected.link ? 'disconnecting' : 'disconnected',
    render: (pages, reply) => pages.partners(reply, session, { partners: [disconnected], disconnected }),
  })),
  {
    name: 'opening',
    render: (pages, reply) => pages.opening(reply, shownNames.partner, 'https://partner.example/authorize?x=1'),
  },
  { name: 'logging out', render: (pages, reply) => pages.loggingOut(reply, 'https://identity.example/logout?x=1') },
  { name: 'disconnect', render: (pages, reply) => pages.confirmDisconnect(reply, session, partnerWith({})) },
  { name: 'test', render: (pages, reply) => pages.confirmTest(reply, shownNames.partner, 'x') },
  ...outcomes.map(([name, outcome]): ConnectState => ({
    name: `outcome: ${name}`,
    render: (pages, reply) => pages.outcome(reply, outcome),
  })),
  { name: 'foreign', render: (pages, reply) => pages.foreign(reply) },
  { name: 'gone', render: (pages, reply) => pages.gone(reply) },
  { name: 'check returned', render: (pages, reply) => pages.checkReturned(reply) },
  { name: 'check elsewhere', render: (pages, reply) => pages.checkElsewhere(reply) },
  { name: 'check gone', render: (pages, reply) => pages.checkGone(reply) },
  { name: 'test gone', render: (pages, reply) => pages.testGone(reply) },
  { name: 'log-in failed', render: (pages, reply) => pages.loginFailed(reply, 'invalid') },
  { name: 'log-in unavailable', render: (pages, reply) => pages.loginFailed(reply, 'unavailable') },
  {
    name: 'refused: paused',
    render: (pages, reply) => pages.refused(reply, new CodedError('integration_paused')),
  },
  { name: 'refused', render: (pages, reply) => pages.refused(reply, new CodedError('conflict')) },
  { name: 'too many changes', render: (pages, reply) => pages.refused(reply, new CodedError('rate_limited')) },
];

/** Renders a state. */
export function renderState(pages: Pages, { render }: ConnectState): SentPage {
  let status = 200;
  let html = '';
  const headers = new Map<string, unknown>();
  const reply = {
    status: (code: number) => ((status = code), reply),
    header: (name: string, value: unknown) => (headers.set(name, value), reply),
    headers: () => reply,
    getHeader: (name: string) => headers.get(name),
    send: (body: string) => ((html = body), reply),
  };
  render(pages, reply as unknown as FastifyReply);
  return { status, html };
}
