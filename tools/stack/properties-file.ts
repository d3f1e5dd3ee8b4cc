/**
 * The content of a Java properties file. Java reads it as ISO-8859-1 (java.util.Properties, load), so any other character
 * is written as an escape of its UTF-16 units.
 */
export function propertiesFile(values: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${escaped(String(value))}\n`)
    .join('');
}

function escaped(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
