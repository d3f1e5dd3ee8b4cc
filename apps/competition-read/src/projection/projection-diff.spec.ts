import { addRowChanges, noRowChanges } from './projection-diff';
import { Listing, projectionOf } from './projection';

describe('the row changes of a document', () => {
  it('are found for any number of rows', () => {
    const count = 200_000;
    const listings = Array.from({ length: count }, (_, at) => listing(String(at)));
    const projection = projectionOf('', { listings });
    const changes = noRowChanges();
    addRowChanges(changes, null, projection);
    addRowChanges(changes, projection, null);
    expect([changes.listings.added.length, changes.listings.removed.length]).toEqual([count, count]);
  });
});

function listing(id: string): Listing {
  return { list: 'teamsOfTournament', owner: 't', filter: '', sort: 0, id, body: null };
}
