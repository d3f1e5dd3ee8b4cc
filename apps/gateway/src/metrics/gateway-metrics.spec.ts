import { Registry } from '@podium/runtime/metrics';
import { routes } from '../routes/route-table';
import { GatewayMetrics } from './gateway-metrics';

describe('the metrics of the gateway', () => {
  it('have the errors of every route as 0 from the start, so that alerts see the first ones', async () => {
    const registry = new Registry();
    new GatewayMetrics(registry);
    const { values } = await registry.getSingleMetric('gateway_requests_total')!.get();
    const zeroed = values.filter(({ value }) => value === 0).map(({ labels }) => `${labels.route} ${labels.status}`);
    const expected = routes.flatMap(({ id }) => ['500', '503'].map((status) => `${id} ${status}`));
    expect(zeroed).toEqual(expect.arrayContaining(expected));
  });
});
