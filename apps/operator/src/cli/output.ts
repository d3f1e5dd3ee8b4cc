/** Rows under their columns' names; cells are cut so that a row stays on a line of a wide terminal. */
export function table(
  rows: readonly Record<string, unknown>[],
  columns: readonly string[],
  maxCellLength = 60,
): string {
  if (rows.length === 0) return 'None.\n';
  const cells = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => cell(row[column], maxCellLength))),
  ];
  const widths = columns.map((_column, at) => cells.reduce((widest, line) => Math.max(widest, line[at].length), 0));
  return cells
    .map(
      (line) =>
        `${line
          .map((text, at) => text.padEnd(widths[at]))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** An object's fields, one per line, nested ones indented below. */
export function details(thing: Record<string, unknown>, indent = ''): string {
  const width = Math.max(0, ...Object.keys(thing).map((name) => name.length));
  return Object.entries(thing)
    .map(([name, value]) => {
      if (isObject(value)) return `${indent}${printable(name)}\n${details(value, `${indent}  `)}`;
      if (Array.isArray(value) && value.length > 0)
        return `${indent}${printable(name)}\n${listed(value, `${indent}  `)}`;
      return `${indent}${printable(name).padEnd(width)}  ${text(value)}\n`;
    })
    .join('');
}

/** A duration in its two largest units: `3 d 4 h`, `12 s`. */
export function ageText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

function listed(values: readonly unknown[], indent: string): string {
  return values.map((value) => `${indent}- ${isObject(value) ? jsonText(value) : text(value)}\n`).join('');
}

function cell(value: unknown, maxLength: number): string {
  const shown = isObject(value) || Array.isArray(value) ? jsonText(value) : text(value);
  return shown.length > maxLength ? `${shown.slice(0, maxLength - 1)}…` : shown;
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : jsonText(value);
  return printable(String(value));
}

/** JSON escapes only the control characters below U+0020. */
function jsonText(value: unknown): string {
  return printable(JSON.stringify(value));
}

/**
 * Names from partners and users may contain what must not reach a terminal: escape sequences, line separators, and marks of
 * direction, after which the columns that follow would be shown in another order.
 */
export function printable(given: string): string {
  return given.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
