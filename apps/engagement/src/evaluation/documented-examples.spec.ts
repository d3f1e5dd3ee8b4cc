import { documentedExamples, readPage, runExample } from '../../test/documented-examples';
import { problemOf } from '../../test/acme-catalogue';

const { catalogue, examples } = documentedExamples(readPage());

describe('docs/engine.md', () => {
  it.each(examples.map((each) => [each.example, each] as const))('%s', (_name, given) => {
    const { refused, ...stated } = given.result;
    if (refused !== undefined) {
      expect(problemOf(() => runExample(given, catalogue))?.message).toBe(refused);
      return;
    }
    const owed = stated.owed?.map((one) => expect.objectContaining(one) as unknown);
    const expected = { ...stated, ...(owed === undefined ? {} : { owed }) };
    expect(Object.keys(expected)).not.toEqual([]);
    expect(runExample(given, catalogue)).toEqual(expected);
    const events = [...(given.events ?? [])].reverse();
    expect(runExample({ ...given, events }, catalogue)).toEqual(expected);
  });

  it('has an example of every form of condition and of every repeat', () => {
    const text = JSON.stringify(examples);
    const forms = ['all', 'any', 'not', 'count', 'sum', 'min', 'max', 'distinct', 'latest', 'absent', 'sequence'];
    const others = ['streak', 'in_segment', 'once', 'per', 'every', 'eligible', 'max_per_event', 'percent'];
    expect([...forms, ...others].filter((form) => !text.includes(`"${form}":`))).toEqual([]);
  });
});
