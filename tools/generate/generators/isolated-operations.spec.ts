import { operatorRoutes } from '@podium/testing/operator-routes';
import { engagementOperations } from '../../../apps/engagement/test/isolation/operations';
import { ingestionOperations } from '../../../apps/ingestion/test/isolation/operations';
import { linkageOperations } from '../../../apps/linkage/test/isolation/operations';

/** Each service's spec calls all of its rows as an operator of another organizer. */
describe("the operators' API", () => {
  it('has a row for every operation in one of the tables of isolated operations', () => {
    const rows = [linkageOperations, engagementOperations, ingestionOperations].flatMap((table) => Object.keys(table));
    expect(rows.sort()).toEqual([...operatorRoutes().keys()].sort());
  });
});
