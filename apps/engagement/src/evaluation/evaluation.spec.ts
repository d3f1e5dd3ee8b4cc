import { expanded, setOf, viewOf } from '../../test/evaluated-world';
import { examples } from '../../test/oracle/examples';
import { evaluateSegment } from './evaluate-segment';
import { evaluateTask } from './evaluate-task';

describe('the engine gives the answers computed by hand', () => {
  it.each(examples.map((example) => [example.name, example] as const))('%s', (_, { world, nowS, owed, members }) => {
    const view = viewOf(world, world.events);
    for (const [id, expected] of Object.entries(owed)) {
      const task = setOf(world).byId.get(id);
      if (task?.kind !== 'task') throw new Error(`the example has no task ${id}`);
      const found = evaluateTask(task, view, task.names, { fromS: 0, nowS }).owed.flatMap((each) =>
        expanded(each, 200),
      );
      expect({ id, owed: found }).toEqual({ id, owed: expected.map((one) => expect.objectContaining(one)) });
    }
    for (const [id, instants] of Object.entries(members)) {
      const segment = setOf(world).byId.get(id);
      if (segment?.kind !== 'segment') throw new Error(`the example has no segment ${id}`);
      const found = instants.map(([atS]) => [atS, evaluateSegment(segment, view, segment.names, atS).member]);
      expect({ id, found }).toEqual({ id, found: instants });
    }
  });
});
