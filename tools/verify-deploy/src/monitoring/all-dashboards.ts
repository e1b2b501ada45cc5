import type { Dashboard } from './dashboard.js';
import { buildDashboard } from './build-dashboard.js';
import { api } from './dashboards/api.js';
import { changes } from './dashboards/changes.js';
import { events } from './dashboards/events.js';
import { slo } from './dashboards/slo.js';
import { visits } from './dashboards/visits.js';

export const DASHBOARDS: readonly Dashboard[] = [slo, visits, events, changes, api];

/** Returns the text of each file under deploy/monitoring/grafana/dashboards, by its name. */
export function dashboardFiles(): ReadonlyMap<string, string> {
  return new Map(
    DASHBOARDS.map((dashboard) => [
      `${dashboard.uid}.json`,
      `${JSON.stringify(buildDashboard(dashboard), null, 2)}\n`,
    ]),
  );
}
