import { withMatchers } from '../prometheus/parse-promql';

/** Units of Grafana that panels use. */
export type Unit = 'short' | 's' | 'reqps' | 'percentunit' | 'bytes' | 'none';

/** A query and the name of its lines. */
export interface Target {
  readonly expr: string;
  readonly legend: string;
}

/** A chart, or a single value. */
export interface Panel {
  readonly title: string;
  /** What it shows. */
  readonly meaning: string;
  readonly unit: Unit;
  readonly kind?: 'stat' | 'timeseries';
  readonly targets: readonly Target[];
}

/** Panels that belong together. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** A variable in addition to source and namespace, with the values of a label. */
export interface Variable {
  readonly name: string;
  readonly label: string;
  readonly metric: string;
}

/** A dashboard, from which Grafana's model is generated. */
export interface Dashboard {
  /** In kebab-case; its address in Grafana. */
  readonly name: string;
  readonly title: string;
  readonly variables?: readonly Variable[];
  readonly rows: readonly Row[];
}

/** A panel of one query. */
export function chart(
  title: string,
  unit: Unit,
  meaning: string,
  ...targets: readonly (readonly [string, string])[]
): Panel {
  return { title, unit, meaning, targets: targets.map(([expr, legend]) => ({ expr, legend })) };
}

/** A single value. */
export function stat(title: string, unit: Unit, meaning: string, expr: string): Panel {
  return { title, unit, meaning, kind: 'stat', targets: [{ expr, legend: '' }] };
}

const columns = 24;
const panelWidth = 8;
const panelHeight = 8;
const source = { type: 'prometheus', uid: '${datasource}' };

/** Grafana's model. Queries are restricted to one deployment: all of them get its namespace. */
export function grafanaModel(dashboard: Dashboard): Record<string, unknown> {
  return {
    uid: `podium-${dashboard.name}`,
    title: `Podium: ${dashboard.title}`,
    tags: ['podium'],
    schemaVersion: 39,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: variablesOf(dashboard) },
    panels: panelsOf(dashboard),
  };
}

function variablesOf({ variables = [] }: Dashboard): Record<string, unknown>[] {
  const query = (definition: string): Record<string, unknown> => ({
    type: 'query',
    datasource: source,
    definition,
    query: { query: definition, refId: 'variable' },
    refresh: 2,
    sort: 1,
  });
  return [
    { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
    {
      name: 'namespace',
      label: 'Deployment',
      ...query('label_values(process_start_time_seconds{service="gateway"}, namespace)'),
    },
    ...variables.map(({ name, label, metric }) => ({
      name,
      label,
      multi: true,
      includeAll: true,
      ...query(`label_values(${metric}{namespace="$namespace"}, ${name})`),
    })),
  ];
}

function panelsOf({ rows }: Dashboard): Record<string, unknown>[] {
  const panels: Record<string, unknown>[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      gridPos: { h: 1, w: columns, x: 0, y },
      panels: [],
    });
    y++;
    row.panels.forEach((panel, at) => {
      const x = (at * panelWidth) % columns;
      const line = Math.floor((at * panelWidth) / columns);
      const gridPos = { h: panelHeight, w: panelWidth, x, y: y + line * panelHeight };
      panels.push(panelModel(panel, panels.length + 1, gridPos));
    });
    y += Math.ceil((row.panels.length * panelWidth) / columns) * panelHeight;
  }
  return panels;
}

function panelModel(panel: Panel, id: number, gridPos: Record<string, number>): Record<string, unknown> {
  const { title, meaning, unit, kind = 'timeseries', targets } = panel;
  return {
    id,
    type: kind,
    title,
    description: meaning,
    gridPos,
    datasource: source,
    fieldConfig: { defaults: { unit, ...(kind === 'timeseries' && { min: 0 }) }, overrides: [] },
    options: kind === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : { legend: { displayMode: 'list' } },
    targets: targets.map(({ expr, legend }, at) => ({
      refId: String.fromCharCode(65 + at),
      datasource: source,
      expr: withMatchers(expr, 'namespace="$namespace"'),
      legendFormat: legend,
    })),
  };
}
