import { queryClient } from '../../../app/api.js';
import { domainsQuery } from '../../../app/queries.js';
import { useWords } from './words.js';

/** Reads the domains again; resolves when they are there. */
export const refreshDomains = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: domainsQuery.queryKey });

const ABSENT = /^There is no TXT record at (.+)$/;
const OTHER_VALUE = /^The TXT records at (.+) do not have this value$/;
const NO_ANSWER = /^The DNS (.+), asked for (.+)$/;

/** Translates a problem that a look found; null without one. Unknown ones stay as they are. */
export function useProblem(): (problem: string | undefined) => string | null {
  const { problems } = useWords();
  return (problem) => {
    if (problem === undefined) return null;
    const absent = ABSENT.exec(problem)?.[1];
    if (absent !== undefined) return problems.absent(absent);
    const other = OTHER_VALUE.exec(problem)?.[1];
    if (other !== undefined) return problems.otherValue(other);
    const name = NO_ANSWER.exec(problem)?.[2];
    if (name !== undefined) return problems.noAnswer(name);
    return problem === 'Another account has this domain' ? problems.taken : problem;
  };
}
