/** What a dashboard shows, before it is written in Grafana's words by build-dashboard.ts. */
export type Dashboard = {
  /** Part of its address in Grafana, and its file's name: never changed, since people keep links. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** The `job` whose instances can be chosen. Without one there is no such choice. */
  readonly instancesOf?: 'smartlink-redirect' | 'smartlink-management';
  readonly rows: readonly Row[];
};

/** Panels of a row share its width evenly. */
export type Row = { readonly title: string; readonly panels: readonly Panel[] };

export type Panel = {
  readonly title: string;
  /** What it shows and what to think of it, for somebody who is paged. */
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** A graph over time by default; `stat` is its last value, large. */
  readonly kind?: 'graph' | 'stacked' | 'stat' | 'table';
  /** From this value on it is orange or red; with `low`, below it. */
  readonly thresholds?: { readonly warn: number; readonly bad: number; readonly side?: 'high' | 'low' };
  readonly min?: number;
  readonly max?: number;
};

export type Query = {
  readonly expr: string;
  /** Name of each line, as in `{{outcome}}`. */
  readonly legend: string;
  /** Says why a healthy stack has no data for it. Without it, data is expected from a stack that has had some visits. */
  readonly emptyUnless?: string;
};

/** Grafana's ids of units, of those we use. */
export type Unit =
  'short' | 'none' | 'reqps' | 'ops' | 'cps' | 's' | 'bytes' | 'Bps' | 'percentunit' | 'dateTimeFromNow';
