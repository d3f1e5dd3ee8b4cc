/** Values of the query argument `type` in addition to `all`. */
export type TypeClass = 'upcoming' | 'ongoing' | 'past';

const classes: Readonly<Record<'championship' | 'match' | 'tournament', ReadonlyMap<string, TypeClass>>> = {
  championship: new Map([
    ['join', 'upcoming'],
    ['upcoming', 'upcoming'],
    ['started', 'ongoing'],
    ['ongoing', 'ongoing'],
    ['adjustment', 'ongoing'],
    ['finished', 'past'],
    ['cancelled', 'past'],
  ]),
  match: new Map([
    ['SCHEDULED', 'upcoming'],
    ['VOTING', 'ongoing'],
    ['CONFIGURING', 'ongoing'],
    ['READY', 'ongoing'],
    ['ONGOING', 'ongoing'],
    ['FINISHED', 'past'],
    ['CANCELLED', 'past'],
  ]),
  tournament: new Map([
    ['created', 'upcoming'],
    ['join', 'upcoming'],
    ['started', 'ongoing'],
    ['finished', 'past'],
    ['cancelled', 'past'],
  ]),
};

/** The class of a status. An unknown status has none, so only unfiltered lists show it. */
export function typeClass(kind: keyof typeof classes, status: string): TypeClass | null {
  return classes[kind].get(status) ?? null;
}
