import type { Check } from '../check.js';
import { outcomeOf } from '../check.js';
import { findAlertProblems, findDashboardProblems, findUnknownMetrics } from '../monitoring/find-problems.js';

/** What can be said of rules and dashboards without Prometheus. */
export const monitoringContract: Check = {
  id: 'monitoring-contract',
  title: 'rules and dashboards ask for documented metrics only, and each alert has its runbook and its tests',
  run({ root }) {
    const found = [findUnknownMetrics(root), findAlertProblems(root), findDashboardProblems(root)];
    return Promise.resolve(
      outcomeOf(
        found.flatMap(({ problems }) => problems),
        found.map(({ figure }) => figure).join('\n'),
      ),
    );
  },
};
