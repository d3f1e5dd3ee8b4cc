import { BoundedLabel } from './bounded-label';

it('keeps the first names and replaces later ones by other', () => {
  const label = new BoundedLabel(2);
  expect(['a', 'b', 'c', 'a', 'd', 'b'].map((value) => label.of(value))).toEqual([
    'a',
    'b',
    'other',
    'a',
    'other',
    'b',
  ]);
});
