import { routes } from './route-table';

describe('the routes table', () => {
  it('names each row and each path once', () => {
    for (const field of ['id', 'path'] as const)
      expect(new Set(routes.map((row) => row[field])).size).toBe(routes.length);
  });

  it('opens no internal path of a service and nothing at its root', () => {
    for (const { path } of routes) {
      expect(path).toMatch(/^\/[a-z][a-z0-9/-]*[a-z0-9]$/);
      expect(path).not.toMatch(/internal|health|metrics/);
    }
  });
});
