import { useQuery } from '@tanstack/react-query';
import type { Plan } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { useDialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { CheckboxField, TextField } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { useStatus } from '../../parts/status.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { plansQuery } from './plans-query.js';
import { useWords } from './words.js';

export function Plans() {
  const words = useWords();
  const { plans: own } = words;
  const plans = useQuery(plansQuery);
  const { dialog, open, close } = useDialog();
  const columns = useColumns();
  return (
    <Page title={own.heading} intro={own.intro}>
      <Loaded query={plans}>
        {(rows) => (
          <Table
            label={own.heading}
            columns={columns}
            rows={rows}
            rowKey={({ name }) => name}
            actions={(plan) => (
              <Button
                look="quiet"
                aria-label={words.changeNamed(plan.name)}
                onClick={() => open(<PlanDialog plan={plan} onClose={close} />)}
              >
                {words.change}
              </Button>
            )}
          />
        )}
      </Loaded>
      {dialog}
    </Page>
  );
}

function useColumns(): readonly Column<Plan>[] {
  const { name: nameHeader, plans: words } = useWords();
  const { number } = useFormat();
  const limit = (value: number | null) => (value === null ? words.unlimited : number(value));
  return [
    { header: nameHeader, kind: 'main', cell: ({ name }) => name },
    { header: words.accounts, kind: 'number', cell: ({ accounts }) => number(accounts) },
    { header: words.limits.smartlinks, kind: 'number', cell: ({ smartlinks }) => limit(smartlinks) },
    {
      header: words.limits.requestsPerMinute,
      kind: 'number',
      cell: ({ requestsPerMinute }) => number(requestsPerMinute),
    },
    { header: words.limits.analyticsDays, kind: 'number', cell: ({ analyticsDays }) => limit(analyticsDays) },
    { header: words.advanced, cell: ({ advanced }) => (advanced ? words.included : words.notIncluded) },
  ];
}

const LIMITS = ['smartlinks', 'requestsPerMinute', 'analyticsDays'] as const;

const textOf = (limit: number | null): string => (limit === null ? '' : String(limit));
/** Invalid numbers become -1, which the API refuses; NaN would be null in JSON, which means unlimited. */
function numberOf(text: string): number {
  const number = Number(text);
  return Number.isFinite(number) ? number : -1;
}
const limitOf = (text: string): number | null => (text.trim() === '' ? null : numberOf(text));

function PlanDialog({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }) {
  const words = useWords();
  const { plans: own } = words;
  const say = useStatus();
  return (
    <FormDialog
      title={words.changeNamed(plan.name)}
      description={own.changeText}
      submitLabel={words.save}
      values={{
        smartlinks: textOf(plan.smartlinks),
        requestsPerMinute: textOf(plan.requestsPerMinute),
        analyticsDays: textOf(plan.analyticsDays),
        advanced: plan.advanced,
      }}
      action={({ smartlinks, requestsPerMinute, analyticsDays, advanced }) =>
        api.admin.updatePlan(plan.name, {
          smartlinks: limitOf(smartlinks),
          // Never unlimited.
          requestsPerMinute: numberOf(requestsPerMinute),
          analyticsDays: limitOf(analyticsDays),
          advanced,
        })
      }
      onDone={() => {
        void queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
        // The current account may be on this plan.
        void queryClient.invalidateQueries({ queryKey: ['account'] });
        say(own.changed(plan.name));
      }}
      onClose={onClose}
    >
      {({ field, register }) => (
        <>
          {LIMITS.map((limit) => (
            <TextField
              key={limit}
              label={own.limits[limit]}
              description={limit === 'requestsPerMinute' ? undefined : own.emptyHint}
              inputMode="numeric"
              autoComplete="off"
              {...field(limit)}
            />
          ))}
          <CheckboxField label={own.advancedLabel} {...register('advanced')} />
        </>
      )}
    </FormDialog>
  );
}
