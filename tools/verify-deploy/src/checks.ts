import type { Check } from './check.js';
import { backupRestore } from './checks/backup-restore.js';
import { composeFile } from './checks/compose-file.js';
import { dependencyAudit } from './checks/dependency-audit.js';
import { dockerLint } from './checks/docker-lint.js';
import { doctorStack } from './checks/doctor-stack.js';
import { imageStack } from './checks/image-stack.js';
import { kubernetesChart } from './checks/kubernetes-chart.js';
import { kubernetesSchemas } from './checks/kubernetes-schemas.js';
import { kubernetesScore } from './checks/kubernetes-score.js';
import { monitoringContract } from './checks/monitoring-contract.js';
import { prometheusLive } from './checks/prometheus-live.js';
import { prometheusRules } from './checks/prometheus-rules.js';
import { TRIALS } from './checks/trials.js';

/** Every check there is, in the order in which they run: the quick ones first. */
export const CHECKS: readonly Check[] = [
  dependencyAudit,
  monitoringContract,
  dockerLint,
  composeFile,
  kubernetesChart,
  kubernetesScore,
  kubernetesSchemas,
  imageStack,
  backupRestore,
  doctorStack,
  prometheusRules,
  prometheusLive,
  ...TRIALS,
];
