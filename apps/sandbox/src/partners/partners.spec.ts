import { JsonFile } from '../storage/json-file';
import { Partner } from './partner';
import { Partners } from './partners';

describe('Partners', () => {
  it('creates a partner at its first use, whatever its name', () => {
    const file = new JsonFile<Record<string, Partner>>('/nowhere', {});
    jest.spyOn(file, 'changed').mockReturnValue();
    const partners = new Partners(file);
    for (const name of ['acme-bets', 'constructor']) {
      const partner = partners.of(name);
      expect(partner).toMatchObject({ name, accounts: {}, events: [] });
      expect(partners.of(name)).toBe(partner);
    }
    expect(partners.all()).toHaveLength(2);
  });
});
