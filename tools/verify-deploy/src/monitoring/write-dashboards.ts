// `npm run docs:dashboards`: writes deploy/monitoring/grafana/dashboards anew.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dashboardFiles } from './all-dashboards.js';
import { DASHBOARD_FOLDER } from './rule-files.js';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../..', DASHBOARD_FOLDER);
const files = dashboardFiles();
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) {
  if (!files.has(name)) rmSync(path.join(folder, name));
}
for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
