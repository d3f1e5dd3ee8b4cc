import { BoundedLabel } from './bounded-label';

it('keeps the names that came first and calls all further ones other', () => {
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
