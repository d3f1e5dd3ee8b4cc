import { groupLimits } from '../../apps/gateway/test/routes';
import { waitsMax } from '../../apps/linkage/test/partner-room';

it('the gateway has connections for callbacks when as many wait for partners as linkage lets', () => {
  // Of two instances of linkage, in case a gateway is alone for a while.
  expect(groupLimits.callbacks.connections).toBeGreaterThanOrEqual(2 * waitsMax);
  expect(groupLimits.callbacks.maxUnderWay).toBeGreaterThan(groupLimits.callbacks.connections);
});
