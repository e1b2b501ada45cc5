import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResolvedVisit, Smartlink } from '@smartlink/client';
import { api } from '../../app/api.js';
import { Form, FormActions } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { ErrorLine } from '../../parts/notice.js';
import { type Column, Table } from '../../parts/table.js';
import { AGENTS, DEVICES } from './agents.js';
import styles from './link.module.css';
import { useWords } from './words.js';

type Row = { readonly name: string; readonly visit: ResolvedVisit };

/** What visitors with different devices get. These visits are not counted. */
export function WhereItLeads({ link: { id } }: { readonly link: Smartlink }) {
  const words = useWords();
  const visits = useQuery({
    queryKey: ['link', id, 'resolve'],
    queryFn: ({ signal }) =>
      Promise.all(
        DEVICES.map(async (device) => {
          const { data } = await api.resolve(id, { userAgent: AGENTS[device] }, { signal });
          return { device, visit: data };
        }),
      ),
  });
  return (
    <div className={styles.leads}>
      <p className={styles.muted}>{words.leadsText}</p>
      <Loaded query={visits} lines={6}>
        {(found) => (
          <VisitTable
            label={words.tabs.leads}
            rows={found.map(({ device, visit }) => ({ name: words.devices[device], visit }))}
          />
        )}
      </Loaded>
      <OwnVisitor id={id} />
    </div>
  );
}

function VisitTable({ label, rows }: { readonly label: string; readonly rows: readonly Row[] }) {
  const words = useWords();
  const columns: readonly Column<Row>[] = [
    { header: words.visitor, kind: 'main', cell: ({ name }) => name },
    {
      header: words.leadsTo,
      cell: ({ visit: { location, decision } }) =>
        location === null ? (
          words.decisions[decision]
        ) : (
          <a href={location} target="_blank" rel="noreferrer" className={styles.target}>
            {location}
          </a>
        ),
    },
    { header: words.why, cell: ({ visit: { rule } }) => words.rules[rule] },
    {
      header: words.counted,
      cell: ({ visit: { counted } }) =>
        counted === null || counted.excluded !== null ? words.countedNot : words.countedYes,
    },
  ];
  return <Table label={label} columns={columns} rows={rows} rowKey={({ name }) => name} />;
}

function OwnVisitor({ id }: { readonly id: string }) {
  const words = useWords();
  const [userAgent, setUserAgent] = useState(navigator.userAgent);
  const resolve = useMutation({ mutationFn: () => api.resolve(id, { userAgent }) });
  return (
    <>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          resolve.mutate();
        }}
      >
        <TextField
          label={words.userAgent}
          description={words.userAgentText}
          value={userAgent}
          onChange={({ target: { value } }) => setUserAgent(value)}
        />
        <ErrorLine error={resolve.error} />
        <FormActions>
          <Button type="submit" isBusy={resolve.isPending}>
            {words.tryIt}
          </Button>
        </FormActions>
      </Form>
      {resolve.data === undefined ? null : (
        <VisitTable label={words.tryIt} rows={[{ name: words.thisVisitor, visit: resolve.data.data }]} />
      )}
    </>
  );
}
