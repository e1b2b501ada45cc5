import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan, PlanChanges } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { CheckboxField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { useStatus } from '../../parts/status.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { plansQuery } from './plans-query.js';
import { useWords } from './words.js';

export function Plans() {
  const { plans: words } = useWords();
  const plans = useQuery(plansQuery);
  const [opened, setOpened] = useState<Plan | null>(null);
  return (
    <Page title={words.heading} intro={words.intro}>
      <Loaded query={plans}>{(list) => <PlanTable plans={list} onOpen={setOpened} />}</Loaded>
      {opened === null ? null : <PlanDialog plan={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function PlanTable({
  plans,
  onOpen,
}: {
  readonly plans: readonly Plan[];
  readonly onOpen: (plan: Plan) => void;
}) {
  const words = useWords();
  const { number } = useFormat();
  const { plans: own } = words;
  const limit = (value: number | null) => (value === null ? own.unlimited : number(value));
  const columns: readonly Column<Plan>[] = [
    { key: 'name', header: words.name, kind: 'main', cell: ({ name }) => name },
    {
      key: 'accounts',
      header: own.accounts,
      kind: 'number',
      cell: ({ accounts }) => number(accounts),
    },
    { key: 'links', header: own.links, kind: 'number', cell: ({ smartlinks }) => limit(smartlinks) },
    {
      key: 'requests',
      header: own.requests,
      kind: 'number',
      cell: ({ requestsPerMinute }) => number(requestsPerMinute),
    },
    {
      key: 'days',
      header: own.days,
      kind: 'number',
      cell: ({ analyticsDays }) => limit(analyticsDays),
    },
    {
      key: 'advanced',
      header: own.advanced,
      cell: ({ advanced }) => (advanced ? own.included : own.notIncluded),
    },
    {
      key: 'actions',
      header: words.actions,
      kind: 'actions',
      cell: (plan) => (
        <Button look="quiet" aria-label={words.changeNamed(plan.name)} onClick={() => onOpen(plan)}>
          {words.change}
        </Button>
      ),
    },
  ];
  return <Table label={own.heading} columns={columns} rows={plans} rowKey={({ name }) => name} />;
}

const textOf = (limit: number | null): string => (limit === null ? '' : String(limit));
/** What is not a number becomes one that the API refuses with the range: in JSON it would be null, for no limit. */
function numberOf(text: string): number {
  const number = Number(text);
  return Number.isFinite(number) ? number : -1;
}
const limitOf = (text: string): number | null => (text.trim() === '' ? null : numberOf(text));

const LIMITS = ['smartlinks', 'requestsPerMinute', 'analyticsDays'] as const;
type Limit = (typeof LIMITS)[number];

function PlanDialog({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }) {
  const words = useWords();
  const { plans: own } = words;
  const say = useStatus();
  const [texts, setTexts] = useState<Readonly<Record<Limit, string>>>({
    smartlinks: textOf(plan.smartlinks),
    requestsPerMinute: textOf(plan.requestsPerMinute),
    analyticsDays: textOf(plan.analyticsDays),
  });
  const [advanced, setAdvanced] = useState(plan.advanced);
  const changes = (): PlanChanges => ({
    smartlinks: limitOf(texts.smartlinks),
    // There is always a limit.
    requestsPerMinute: numberOf(texts.requestsPerMinute),
    analyticsDays: limitOf(texts.analyticsDays),
    advanced,
  });
  return (
    <FormDialog
      title={words.changeNamed(plan.name)}
      description={own.changeText}
      submitLabel={words.save}
      cancelLabel={words.cancel}
      paths={LIMITS}
      action={() => api.admin.updatePlan(plan.name, changes())}
      onDone={() => {
        void queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
        // The plan may be that of the account in use.
        void queryClient.invalidateQueries({ queryKey: ['account'] });
        say(own.changed(plan.name));
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {LIMITS.map((limit) => (
            <TextField
              key={limit}
              label={own.limits[limit]}
              description={limit === 'requestsPerMinute' ? undefined : own.emptyHint}
              inputMode="numeric"
              autoComplete="off"
              value={texts[limit]}
              error={faults.get(limit)}
              onChange={({ target: { value } }) => setTexts((before) => ({ ...before, [limit]: value }))}
            />
          ))}
          <CheckboxField
            label={own.advancedLabel}
            checked={advanced}
            onChange={({ target }) => setAdvanced(target.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}
