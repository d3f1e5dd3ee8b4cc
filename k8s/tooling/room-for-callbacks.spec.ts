import { groupLimits } from '../../apps/gateway/src/routes/upstream-proxy';
import { waitsMax } from '../../apps/linkage/src/partner-client/partner-room';

it('the gateway has connections for callbacks when as many wait for partners as linkage lets', () => {
  // Of two instances of linkage, in case a gateway is alone for a while.
  expect(groupLimits.callbacks.connections).toBeGreaterThanOrEqual(2 * waitsMax);
  expect(groupLimits.callbacks.maxUnderWay).toBeGreaterThan(groupLimits.callbacks.connections);
});
