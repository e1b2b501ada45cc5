import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export type Rule = {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

export type RuleFile = { readonly name: string; readonly rules: readonly Rule[] };

export const PROMETHEUS_FOLDER = 'deploy/monitoring/prometheus';
export const DASHBOARD_FOLDER = 'deploy/monitoring/grafana/dashboards';

/** Returns the rules of each file under deploy/monitoring/prometheus/rules. Throws on a file that is no YAML. */
export function readRuleFiles(root: string): readonly RuleFile[] {
  const folder = path.join(root, PROMETHEUS_FOLDER, 'rules');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => {
      const file = parse(readFileSync(path.join(folder, name), 'utf8')) as {
        readonly groups: readonly { readonly rules: readonly Rule[] }[];
      };
      return { name, rules: file.groups.flatMap(({ rules }) => rules) };
    });
}

/** Returns every rule of every file that raises an alert. */
export function alertsOf(files: readonly RuleFile[]): readonly (Rule & { readonly alert: string })[] {
  return files.flatMap(({ rules }) =>
    rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }])),
  );
}

export type TestFile = {
  readonly name: string;
  readonly tests: readonly {
    readonly alert_rule_test?: readonly {
      readonly alertname: string;
      readonly exp_alerts?: readonly unknown[];
    }[];
  }[];
};

/** Returns what the test files under deploy/monitoring/prometheus/tests expect, as `promtool test rules` reads them. */
export function readTestFiles(root: string): readonly TestFile[] {
  const folder = path.join(root, PROMETHEUS_FOLDER, 'tests');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => ({
      name,
      ...(parse(readFileSync(path.join(folder, name), 'utf8')) as Pick<TestFile, 'tests'>),
    }));
}
