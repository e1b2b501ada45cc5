import type { Dashboard, Panel, Query, Row } from './dashboard.js';

const GRID_WIDTH = 24;
const GRAPH_HEIGHT = 8;
const STAT_HEIGHT = 4;
// Of Grafana 11 and newer, which moves older ones up by itself.
const SCHEMA_VERSION = 39;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const COLORS = { good: 'green', warn: 'orange', bad: 'red' };

export const TAG = 'smartlink';

/** Returns the JSON model that Grafana provisions (grafana.com, "Dashboard JSON model"). Equal input, equal output. */
export function buildDashboard({ uid, title, description, instancesOf, rows }: Dashboard) {
  return {
    uid,
    title,
    description,
    tags: [TAG],
    schemaVersion: SCHEMA_VERSION,
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    links: [
      {
        type: 'dashboards',
        title: 'Smartlink',
        tags: [TAG],
        icon: 'external link',
        tooltip: '',
        targetBlank: false,
        asDropdown: true,
        includeVars: true,
        keepTime: true,
      },
    ],
    annotations: { list: [firingPages()] },
    templating: { list: variables(instancesOf) },
    panels: layOut(rows),
  };
}

function firingPages() {
  return {
    name: 'Pages',
    datasource: DATASOURCE,
    enable: true,
    iconColor: COLORS.bad,
    target: { refId: 'Anno', expr: 'ALERTS{alertstate="firing", severity="page"}', interval: '30s' },
    // Of the Prometheus data source; the general model does not know it.
    titleFormat: '{{alertname}}',
  };
}

function variables(job: Dashboard['instancesOf']) {
  const datasource = { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' };
  if (job === undefined) return [datasource];
  const query = `label_values(up{job="${job}"}, instance)`;
  return [
    datasource,
    {
      name: 'instance',
      label: 'Instance',
      type: 'query',
      datasource: DATASOURCE,
      query: { query, refId: 'instance' },
      refresh: 2,
      sort: 1,
      multi: true,
      includeAll: true,
      allValue: '.*',
      current: { text: ['All'], value: ['$__all'] },
    },
  ];
}

function layOut(rows: readonly Row[]) {
  let y = 0;
  let id = 0;
  return rows.flatMap(({ title, panels }) => {
    const height = panels.every(({ kind }) => kind === 'stat') ? STAT_HEIGHT : GRAPH_HEIGHT;
    const width = Math.floor(GRID_WIDTH / panels.length);
    const head = {
      id: ++id,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: GRID_WIDTH, h: 1 },
      panels: [],
    };
    const body = panels.map((panel, index) =>
      buildPanel(panel, ++id, { x: index * width, y: y + 1, w: width, h: height }),
    );
    y += 1 + height;
    return [head, ...body];
  });
}

function buildPanel(panel: Panel, id: number, gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>) {
  const { title, description, queries, kind = 'graph' } = panel;
  return {
    id,
    type: { graph: 'timeseries', stacked: 'timeseries', stat: 'stat', table: 'table' }[kind],
    title,
    description,
    datasource: DATASOURCE,
    gridPos,
    targets: queries.map((query, index) => buildTarget(query, index, kind)),
    fieldConfig: { defaults: fieldDefaults(panel), overrides: [] },
    options: optionsOf(kind),
  };
}

function buildTarget({ expr, legend }: Query, index: number, kind: Panel['kind']) {
  const isNow = kind === 'stat' || kind === 'table';
  return {
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource: DATASOURCE,
    editorMode: 'code',
    expr,
    legendFormat: legend,
    ...(isNow ? { instant: true, range: false } : { instant: false, range: true }),
    ...(kind === 'table' && { format: 'table' }),
  };
}

function fieldDefaults({ unit, kind = 'graph', thresholds, min = 0, max }: Panel) {
  const isGraph = kind === 'graph' || kind === 'stacked';
  return {
    unit,
    min,
    ...(max !== undefined && { max }),
    color: { mode: isGraph || thresholds === undefined ? 'palette-classic' : 'thresholds' },
    thresholds: { mode: 'absolute', steps: stepsOf(thresholds) },
    custom: isGraph
      ? {
          drawStyle: 'line',
          lineWidth: 1,
          fillOpacity: kind === 'stacked' ? 30 : 8,
          showPoints: 'never',
          stacking: { mode: kind === 'stacked' ? 'normal' : 'none', group: 'A' },
          thresholdsStyle: { mode: thresholds === undefined ? 'off' : 'dashed' },
        }
      : {},
  };
}

function stepsOf(thresholds: Panel['thresholds']) {
  if (thresholds === undefined) return [{ color: COLORS.good, value: null }];
  const { warn, bad, side = 'high' } = thresholds;
  return side === 'high'
    ? [
        { color: COLORS.good, value: null },
        { color: COLORS.warn, value: warn },
        { color: COLORS.bad, value: bad },
      ]
    : [
        { color: COLORS.bad, value: null },
        { color: COLORS.warn, value: bad },
        { color: COLORS.good, value: warn },
      ];
}

function optionsOf(kind: NonNullable<Panel['kind']>) {
  if (kind === 'table') return { showHeader: true, cellHeight: 'sm' };
  if (kind === 'stat') {
    return {
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      colorMode: 'value',
      graphMode: 'none',
      textMode: 'auto',
    };
  }
  return {
    legend: { displayMode: 'table', placement: 'bottom', showLegend: true, calcs: ['lastNotNull', 'max'] },
    tooltip: { mode: 'multi', sort: 'desc' },
  };
}
