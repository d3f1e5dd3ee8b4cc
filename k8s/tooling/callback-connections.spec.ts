import { groupLimits } from '../../apps/gateway/test/routes';
import { waitsMax } from '../../apps/linkage/test/partner-waits';

it('the gateway has connections for callbacks while the maximum number of users waits for slow partners', () => {
  // One gateway may serve two instances of linkage for a while.
  expect(groupLimits.callbacks.connections).toBeGreaterThanOrEqual(2 * waitsMax);
  expect(groupLimits.callbacks.maxUnderWay).toBeGreaterThan(groupLimits.callbacks.connections);
});
