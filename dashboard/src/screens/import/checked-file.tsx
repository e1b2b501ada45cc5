import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Import } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { Section } from '../../app/page.js';
import { Button, ButtonLink, DownloadLink } from '../../parts/button.js';
import { CheckboxField } from '../../parts/field.js';
import { ErrorLine, InfoLine } from '../../parts/notice.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import styles from './import.module.css';
import { importQuery, type Problem, problemsKey, reportAddress } from './queries.js';
import { useWords } from './words.js';

/** What the import would do, and the button that starts it. */
export function CheckedFile({ checked }: { readonly checked: Import }) {
  const words = useWords();
  const format = useFormat();
  const { id, ready, refused, total } = checked;
  const [assignSlugs, setAssignSlugs] = useState(false);
  const start = useMutation({
    mutationFn: () => api.imports.start(id, { assignSlugs }),
    onSuccess: ({ data }) => queryClient.setQueryData(importQuery(id).queryKey, data),
  });
  const canStart = ready > 0 || (assignSlugs && refused > 0);
  const isExact = ready > 0 && !(assignSlugs && refused > 0);
  return (
    <Section title={words.checked}>
      <ul className={styles.counts}>
        <li className={styles.count}>{words.ready(format.number(ready))}</li>
        <li className={styles.count}>{words.refused(format.number(refused))}</li>
        <li className={styles.total}>
          {words.formatNames[checked.format]} · {words.rows(total, format.number(total))}
        </li>
      </ul>
      {refused === 0 ? null : (
        <>
          <CheckboxField
            label={words.assignSlugs}
            checked={assignSlugs}
            onChange={(event) => setAssignSlugs(event.target.checked)}
          />
          <Problems id={id} refused={refused} />
        </>
      )}
      {canStart ? null : <InfoLine icon="alert">{words.nothingReady}</InfoLine>}
      <ErrorLine error={start.error} />
      <div className={styles.actions}>
        {canStart ? (
          <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
            {isExact ? words.start(ready, format.number(ready)) : words.startSome}
          </Button>
        ) : null}
        {refused === 0 ? null : <DownloadLink href={reportAddress(id)}>{words.report}</DownloadLink>}
        <ButtonLink to="/dashboard/import" look="quiet">
          {words.another}
        </ButtonLink>
      </div>
    </Section>
  );
}

function Problems({ id, refused }: { readonly id: string; readonly refused: number }) {
  const words = useWords();
  const format = useFormat();
  const { data: problems = [] } = useQuery<readonly Problem[]>({
    queryKey: problemsKey(id),
    queryFn: () => [],
    staleTime: Infinity,
    gcTime: Infinity,
  });
  if (problems.length === 0) return <p className={styles.text}>{words.inReport}</p>;
  const columns: readonly Column<Problem>[] = [
    { header: words.row, kind: 'number', cell: ({ row }) => format.number(row) },
    {
      header: words.line,
      kind: 'number',
      cell: ({ line }) => (line === undefined ? '–' : format.number(line)),
    },
    { header: words.address, cell: ({ slug }) => slug ?? '–' },
    { header: words.reason, cell: ({ reason }) => reason },
  ];
  return (
    <>
      {refused > problems.length ? (
        <p className={styles.text}>{words.firstRefused(format.number(problems.length))}</p>
      ) : null}
      <Table label={words.refusedRows} columns={columns} rows={problems} rowKey={({ row }) => String(row)} />
    </>
  );
}
