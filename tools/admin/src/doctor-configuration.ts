import { readServiceConfig } from './config-read.js';
import { ok, problem, warning } from './doctor-check.js';
import type { DoctorCheck, Finding } from './doctor-check.js';

/** What a service would refuse to start with, short secrets and known passwords among it. */
export const configurationCheck: DoctorCheck = {
  name: 'configuration',
  run({ env }) {
    const findings = (['redirect', 'management'] as const).flatMap((service): readonly Finding[] => {
      const check = `configuration of ${service}`;
      const { variables, problems, warnings } = readServiceConfig(service, env, {});
      const todo = 'See npm run admin -- config print, and docs/configure.md.';
      const found = [
        ...problems.map((line) => problem(check, line, todo)),
        ...warnings.map((line) => warning(check, line, todo)),
      ];
      const set = variables.filter(({ source }) => source !== 'default' && source !== 'none').length;
      return found.length > 0 ? found : [ok(check, `${set} of ${variables.length} variables given`)];
    });
    return Promise.resolve(findings);
  },
};
