import { routes } from './route-table';

describe('the route table', () => {
  it('has unique ids and paths', () => {
    for (const field of ['id', 'path'] as const)
      expect(new Set(routes.map((row) => row[field])).size).toBe(routes.length);
  });

  it('exposes no internal path of a service, and at the root only the landing page and its icon', () => {
    for (const { path, to } of routes) {
      if (to === 'docs' && ['/', '/favicon.ico', '/favicon.svg'].includes(path)) continue;
      expect(path).toMatch(/^\/[a-z][a-z0-9/-]*[a-z0-9]$/);
      expect(path).not.toMatch(/internal|health|metrics/);
    }
  });
});
