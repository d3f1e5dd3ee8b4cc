import { Side } from './two-organizers';

/** How an operation of the operators' API names what belongs to an organizer. */
export interface IsolatedOperation {
  /**
   * `thing`: its path or body names one, and others' do not exist. `organizer`: its query or body names an organizer, and
   * others are forbidden. `list`: it shows what the operator may see. `service`: it is for operators of the whole service.
   */
  readonly of: 'thing' | 'organizer' | 'list' | 'service';
  /** Parameters that name something of an organizer. */
  readonly query?: (of: Side) => Readonly<Record<string, string>>;
  /** A body that an own operator may send. */
  readonly body?: (of: Side) => object;
  /** Whether its response for a seeded side names nothing of it, because it is empty. */
  readonly isUnmarked?: true;
  /** The status for an own operator; 200 unless stated. */
  readonly success?: number;
}

const thing = { of: 'thing' } as const;
const created = { success: 201 } as const;

/**
 * Every operation of linkage for operators by its id, in an order in which an operator may call all of them. A further one fails
 * the spec until it has a row here.
 */
export const linkageOperations: Readonly<Record<string, IsolatedOperation>> = {
  listIntegrations: { of: 'list' },
  showIntegration: thing,
  listContracts: thing,
  showLinking: thing,
  listExchanges: thing,
  listRefreshes: { ...thing, isUnmarked: true },
  showTestLink: thing,
  listPartnerChecks: thing,
  showPartnerCheck: thing,
  listEventKeys: thing,
  listDataKeys: { of: 'list' },
  listLinks: { of: 'list', query: ({ platform, userId }) => ({ platform, user_id: userId }) },
  listAudit: { of: 'list', query: ({ integrationId }) => ({ subject: `integration:${integrationId}` }) },
  showVault: { of: 'service' },
  getErasure: thing,
  createIntegration: {
    ...{ of: 'organizer', ...created },
    body: ({ organizerId, furtherPlatform }) => ({
      ...{ platform: furtherPlatform, partner: furtherPlatform, organizer_id: organizerId, display_name: 'Further' },
      ...{ authorization_url: 'https://partner.example/login', base_url: 'https://partner.example' },
      ...{ client_id: 'podium', client_secret: 'secret' },
    }),
  },
  createDataKey: {
    ...{ of: 'organizer', ...created },
    body: ({ organizerId }) => ({ organizer_id: organizerId, name: 'further', scopes: [{ scope: 'data:read' }] }),
  },
  publishContract: { ...thing, ...created, body: ({ contract }) => ({ events: contract }) },
  applyPartnerCheck: thing,
  startPartnerCheck: { ...thing, success: 202 },
  updateIntegration: { ...thing, body: () => ({ display_name: 'changed' }) },
  startTestLink: { ...thing, ...created },
  pauseIntegration: thing,
  resumeIntegration: thing,
  rotateKey: { ...thing, ...created, body: () => ({}) },
  expireKey: { ...thing, body: () => ({ not_after: new Date(Date.now() + 3_600_000).toISOString() }) },
  revokeKey: thing,
  createEventKey: { ...thing, ...created, body: () => ({}) },
  eraseUser: { ...thing, success: 202, body: ({ platform, userId }) => ({ platform, user_id: userId }) },
};
