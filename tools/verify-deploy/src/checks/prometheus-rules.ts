import path from 'node:path';
import type { Check } from '../check.js';
import { outcomeOf } from '../check.js';
import { alertsOf, PROMETHEUS_FOLDER, readRuleFiles, readTestFiles } from '../monitoring/rule-files.js';
import { HOW_TO_GET, versionOf } from '../monitoring/promtool.js';
import { runProgram } from '../run-program.js';

/** Prometheus' own tool reads the configuration and the rules, and runs each alert over good series and bad ones. */
export const prometheusRules: Check = {
  id: 'prometheus-rules',
  title: 'each alert fires on bad series and stays silent on good ones',
  async run({ root, signal, report }) {
    const version = await versionOf('promtool', signal);
    if (version === null) return { kind: 'skipped', reason: `promtool is not in PATH: ${HOW_TO_GET}` };
    report(`Running promtool ${version}`);
    const folder = path.join(root, PROMETHEUS_FOLDER);
    const tests = readTestFiles(root).map(({ name }) => path.join(folder, 'tests', name));
    const problems: string[] = [];
    for (const argv of [
      ['check', 'config', path.join(folder, 'prometheus.yml')],
      ['test', 'rules', ...tests],
    ]) {
      const { code, stdout, stderr } = await runProgram(['promtool', ...argv], { signal });
      if (code !== 0) problems.push(`promtool ${argv.slice(0, 2).join(' ')}:\n${stdout}${stderr}`);
    }
    const files = readRuleFiles(root);
    const rules = files.reduce((sum, file) => sum + file.rules.length, 0);
    return outcomeOf(
      problems,
      `${rules} rules, ${alertsOf(files).length} of them alerts (promtool ${version})`,
    );
  },
};
