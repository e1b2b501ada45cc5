// Checks the imports of the project against .dependency-cruiser.cjs; src/dependency-rule.test.ts shows that each rule works.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAM = path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const FOLDERS = ['libs', 'services', 'clients', 'dashboard', 'deploy', 'tools', 'loadtest/src'];

const argv = [PROGRAM, '--config', '.dependency-cruiser.cjs', ...FOLDERS];
const { status } = spawnSync(process.execPath, argv, { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
