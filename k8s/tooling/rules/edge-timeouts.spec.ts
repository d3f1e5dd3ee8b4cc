import { render } from '../checks/overlays';
import { Manifest } from '../generators/yaml-file';
import { edgeTimeouts } from './edge-timeouts';

const backendRefs = [{ name: 'gateway', port: 8080 }];
const prefixed = (value: string, request?: string): object => ({
  matches: [{ path: { type: 'PathPrefix', value } }],
  backendRefs,
  timeouts: { request },
});

function problemsOf(...rules: object[]): readonly string[] {
  const route: Manifest = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'podium' },
    spec: { rules },
  };
  return edgeTimeouts([{ name: 'test', objects: [route] }]).problems;
}

const progress = '/admin/v1/tasks/{id}/progress/export';

describe('exports at the edge', () => {
  it('are not ended by a timeout in any deployment', async () => {
    const overlays = [await render('test'), await render('production')];
    expect(edgeTimeouts(overlays)).toEqual({ detail: expect.stringMatching(/^[1-9]/), problems: [] });
  }, 60_000);

  it('are ended by one that holds for all paths, or for a longer prefix', () => {
    const all = { backendRefs, timeouts: { request: '30s' } };
    expect(problemsOf(all)).toContain(`test: HTTPRoute podium ends ${progress} after 30s`);
    expect(problemsOf(all, prefixed('/admin/v1', '0s'))).toEqual([]);
    expect(problemsOf(all, prefixed('/admin', '0s'), prefixed('/admin/v1/tasks', '5s'))).toContain(
      `test: HTTPRoute podium ends ${progress} after 5s`,
    );
    expect(problemsOf(prefixed('/', undefined))).toContain(
      `test: HTTPRoute podium ends ${progress} after the default of its class`,
    );
    expect(problemsOf(all, prefixed('/admin/v', '0s'))).toContain(`test: HTTPRoute podium ends ${progress} after 30s`);
  });

  it('are not forwarded by a route that redirects', () => {
    expect(problemsOf({ filters: [{ type: 'RequestRedirect' }] })).toEqual([]);
  });
});
