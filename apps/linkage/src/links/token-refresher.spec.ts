import { Registry } from '@podium/runtime/metrics';
import { Pool } from '@podium/runtime/postgres';
import { pino } from 'pino';
import { NeedsReauth } from './needs-reauth';
import { reauthReasons } from './reauth-reason';
import { TokenRefresher } from './token-refresher';
import { StoredTokens } from './token.store';

describe('the metrics of token refreshes', () => {
  const registry = new Registry();

  beforeAll(async () => {
    const needsReauth = new NeedsReauth({} as Pool, pino({ level: 'silent' }), registry);
    // Another instance was faster: nothing is counted.
    jest.spyOn(needsReauth, 'mark').mockResolvedValue(false);
    const partner = { integrationId: 'i', platform: 'acme', originVersion: 1 };
    const parts = { needsReauth, integrations: { get: () => Promise.resolve(partner) } };
    const refresher = new TokenRefresher(parts as unknown as ConstructorParameters<typeof TokenRefresher>[0], registry);
    const stored: StoredTokens = {
      ...{ linkId: 'l', integrationId: 'i', state: 'ready', version: 1, accessTokenEnc: '', refreshTokenEnc: null },
      ...{ due: true, originVersion: 1, moved: false },
    };
    await refresher.refresh(stored);
  });

  it.each([
    ['linkage_token_refreshes_total', 'outcome', ['refreshed', 'needs_reauth', 'unavailable', 'lost']],
    ['linkage_links_needing_login_total', 'reason', Object.keys(reauthReasons)],
  ])('%s has every %s at 0 before the first one, so that rules and panels see it', async (metric, label, names) => {
    const { values } = await registry.getSingleMetric(metric)!.get();
    expect(values.map(({ labels, value }) => [labels.platform, labels[label], value])).toEqual(
      names.map((name) => ['acme', name, 0]),
    );
  });
});
