import type { Domain } from '@smartlink/client';
import type { Option } from '../parts/field.js';

/** The host of the service, in place of a domain. */
export const OWN_HOST = 'default';

/** Whether visitors get to the domain. */
export const isServed = ({ status }: Domain): boolean => status === 'Active' || status === 'Failing';

/** Choices of a host: that of the service and these domains; none without domains. */
export function hostOptions(domains: readonly Domain[]): readonly Option[] {
  const [first] = domains;
  if (first === undefined) return [];
  const own = { value: OWN_HOST, label: first.verification.cnameTarget };
  return [own, ...domains.map(({ host }) => ({ value: host, label: host }))];
}
