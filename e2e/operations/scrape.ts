/** One sample of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?<labels>.*)\})? (?<value>[^ ]+)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** Scrapes the metrics of a stack's services from their health ports. */
export async function scrape(services: Readonly<Record<string, { health_url: string }>>): Promise<Sample[]> {
  const texts = await Promise.all(
    Object.values(services).map(async ({ health_url }) => (await fetch(`${health_url}/metrics`)).text()),
  );
  return texts.flatMap(parseScrape);
}

/** Parses the Prometheus text format. Throws for a line that is neither a sample nor a comment. */
export function parseScrape(text: string): Sample[] {
  return text
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'))
    .map((row) => {
      const { name, labels = '', value } = line.exec(row)?.groups ?? {};
      if (!name) throw new Error(`no sample: ${row}`);
      const pairs = [...labels.matchAll(label)].map(([, key, text]) => [key, text]);
      return { name, labels: Object.fromEntries(pairs) as Sample['labels'], value: Number(value) };
    });
}
