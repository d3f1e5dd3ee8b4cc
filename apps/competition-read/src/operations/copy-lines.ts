import { CompetitionChange } from '@podium/messages';
import { copyLine } from '@podium/runtime/postgres';
import { lists } from '../projection/lists';
import { project } from '../projection/project';
import type { Listing } from '../projection/projection';
import { readChange } from '../projection/read-change';
import { rankKeyOf } from '../rankings/rank-key';
import { nameColumns } from '../search/names.store';

/** Tables that COPY fills; the other tables of a set are derived from these. */
export const copiedTables = ['documents', 'listings', 'names', 'boardEntries'] as const;
export type CopiedTable = (typeof copiedTables)[number];

/** The columns of each table, in the order of its lines; lines of `listings` begin with an additional sort column. */
export const copiedColumns: Readonly<Record<CopiedTable, string>> = {
  documents: 'kind, id, revision, body, summary, beside',
  listings: 'list, owner, filter, sort, id, body',
  names: 'ref, kind, id, folded, scopes, body',
  boardEntries: 'board, player_id, rank_key, body',
};

/** COPY lines by table. */
export type CopyLines = Record<CopiedTable, string>;

/** Converts changes to lines: the same rows as if they had come through the topic. Throws on an invalid change. */
export function copyLines(changes: readonly CompetitionChange[]): CopyLines {
  const lines: CopyLines = { documents: '', listings: '', names: '', boardEntries: '' };
  for (const change of changes) addLines(lines, change);
  return lines;
}

function addLines(lines: CopyLines, record: CompetitionChange): void {
  const read = readChange(record);
  if (!read.ok) throw new TypeError(`invalid change: ${read.reason}`);
  const { change } = read;
  if (change.what === 'forget') return;
  const { kind, id } = change.content;
  if (change.what === 'delete') {
    lines.documents += copyLine([kind, id, change.revision, null, null, null]);
    return;
  }
  const { body, summary, listings, names, boards } = project(change.content);
  const beside = JSON.stringify(change.content.beside);
  lines.documents += copyLine([kind, id, change.revision, body, summary, beside]);
  for (const row of listings)
    lines.listings += copyLine([placeOf(row), row.list, row.owner, row.filter, row.sort, row.id, row.body]);
  for (const name of names) {
    const row = nameColumns(name);
    lines.names += copyLine([row.ref, row.kind, row.id, row.folded, row.scopes, row.body]);
  }
  for (const entry of boards) {
    const rankKey = rankKeyOf(entry.score, entry.playerId);
    lines.boardEntries += copyLine([entry.board, entry.playerId, rankKey, entry.body]);
  }
}

/** Ranks of lists in the order of their names. */
const listPlaces = new Map(
  Object.keys(lists)
    .sort()
    .map((list, place) => [list, place]),
);

const ownerBytes = 6;

/** First bytes of owners between which a list is divided. Ids of most owners begin with a hexadecimal digit. */
const dividingBytes = [0, ...['4', '8', 'c'].map((digit) => digit.charCodeAt(0))];

/** Ranges of sort keys (`to` excluded) in their order, which together have all of them: a part of a list each. */
export const listingPieces: readonly { readonly from: number; readonly to: number }[] = dividedPlaces();

/** A cheap approximate sort key of a row: a number from the list and the first bytes of the owner. */
function placeOf({ list, owner }: Listing): number {
  let place = listPlaces.get(list) ?? 0;
  for (let at = 0; at < ownerBytes; at++)
    place = place * 256 + Math.min(at < owner.length ? owner.charCodeAt(at) : 0, 255);
  return place;
}

function dividedPlaces(): { from: number; to: number }[] {
  const starts = [...listPlaces.values()].flatMap((place) =>
    dividingBytes.map((byte) => (place * 256 + byte) * 256 ** (ownerBytes - 1)),
  );
  const end = listPlaces.size * 256 ** ownerBytes;
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? end }));
}
