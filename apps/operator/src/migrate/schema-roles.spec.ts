import { Queryable } from '@podium/runtime/postgres';
import { prepareRole } from './schema-roles.store';

/** A database without the role, in which creating one ends with an error. */
function without(code: string): Queryable {
  const query = async (statement: string): Promise<{ rows: []; rowCount: number }> => {
    if (statement.startsWith('CREATE ROLE')) throw Object.assign(new Error('refused'), { code });
    return { rows: [], rowCount: 0 };
  };
  return { query } as unknown as Queryable;
}

describe("a service's role that is missing", () => {
  it('is named where the role of the migrations may create none, with what to do', async () => {
    await expect(prepareRole(without('42501'), 'linkage', undefined)).rejects.toThrow(
      /^the role podium_linkage is missing, .* have an administrator create it, or wait until CloudNativePG has made the roles/,
    );
  });

  it('is created otherwise, and another error is that of the server', async () => {
    await expect(prepareRole(without('57014'), 'linkage', undefined)).rejects.toThrow('refused');
  });
});
