import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Import } from '@smartlink/client';
import { queryClient } from '../../app/api.js';
import { Page, Section } from '../../app/page.js';
import { ButtonLink, DownloadLink } from '../../parts/button.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice, ErrorText } from '../../parts/notice.js';
import { type Column, Table } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { CheckedFile } from './checked-file.js';
import { FileForm } from './file-form.js';
import styles from './import.module.css';
import { importQuery, importsQuery, reportAddress } from './queries.js';
import { useWords } from './words.js';

export function ImportScreen() {
  const words = useWords();
  const { id } = useSearch({ from: '/shell/dashboard/import' });
  return (
    <Page title={words.heading} intro={words.intro}>
      {id === undefined ? <FileForm /> : <ShownImport key={id} id={id} />}
      <RecentImports shownId={id} />
      <Section title={words.exportHeading}>
        <p className={styles.text}>{words.exportText}</p>
        <div className={styles.actions}>
          <DownloadLink href="/api/v1/export">{words.exportJson}</DownloadLink>
          <DownloadLink href="/api/v1/export?format=csv">{words.exportCsv}</DownloadLink>
        </div>
      </Section>
    </Page>
  );
}

function ShownImport({ id }: { readonly id: string }) {
  const words = useWords();
  const found = useQuery(importQuery(id));
  const state = found.data?.state;
  useEffect(() => {
    if (state === undefined) return;
    void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey, exact: true });
    if (state !== 'checked') void queryClient.invalidateQueries({ queryKey: ['links'] });
  }, [state]);
  return (
    <Loaded query={found} lines={4}>
      {(data) => {
        if (data === null) {
          return (
            <EmptyNotice
              heading={words.notFound}
              action={<ButtonLink to="/dashboard/import">{words.another}</ButtonLink>}
            >
              {words.notFoundText}
            </EmptyNotice>
          );
        }
        if (data.state === 'checked') return <CheckedFile checked={data} />;
        return data.state === 'running' ? <RunningImport running={data} /> : <EndedImport ended={data} />;
      }}
    </Loaded>
  );
}

/** Recent imports, to return to. */
function RecentImports({ shownId }: { readonly shownId: string | undefined }) {
  const words = useWords();
  const format = useFormat();
  const imports = useQuery(importsQuery);
  const others = imports.data?.filter(({ id }) => id !== shownId) ?? [];
  if (others.length === 0) return null;
  const columns: readonly Column<Import>[] = [
    {
      header: words.when,
      kind: 'main',
      cell: ({ id, createdAt }) => (
        <Link to="/dashboard/import" search={{ id }}>
          {format.dateTime(createdAt)}
        </Link>
      ),
    },
    { header: words.format, cell: ({ format: name }) => words.formatNames[name] },
    { header: words.state, cell: ({ state }) => words.states[state] },
    {
      header: words.createdHeader,
      kind: 'number',
      cell: ({ created }) => format.number(created),
    },
    {
      header: words.refusedHeader,
      kind: 'number',
      cell: ({ refused }) => format.number(refused),
    },
  ];
  return (
    <Section title={words.earlier}>
      <Table label={words.earlier} columns={columns} rows={others} rowKey={({ id }) => id} />
    </Section>
  );
}

function RunningImport({ running }: { readonly running: Import }) {
  const words = useWords();
  const format = useFormat();
  const { done, total } = running;
  return (
    <Section title={words.running}>
      <p className={styles.text}>{words.runningText}</p>
      <progress
        className={styles.progress}
        aria-label={words.progress}
        max={Math.max(total, 1)}
        value={done}
      />
      <ul className={styles.counts}>
        <li className={styles.total}>{words.doneOf(format.number(done), format.number(total))}</li>
        <Counts counted={running} />
      </ul>
    </Section>
  );
}

function EndedImport({ ended }: { readonly ended: Import }) {
  const words = useWords();
  const isDone = ended.state === 'done';
  return (
    <Section title={isDone ? words.done : words.failed}>
      {isDone ? null : <ErrorText>{words.failedText}</ErrorText>}
      <ul className={styles.counts}>
        <Counts counted={ended} />
      </ul>
      <div className={styles.actions}>
        <DownloadLink href={reportAddress(ended.id)}>{words.report}</DownloadLink>
        <ButtonLink to="/dashboard/import" look="quiet">
          {words.another}
        </ButtonLink>
      </div>
    </Section>
  );
}

function Counts({ counted: { created, refused } }: { readonly counted: Import }) {
  const words = useWords();
  const format = useFormat();
  return (
    <>
      <li className={styles.count}>{words.created(format.number(created))}</li>
      <li className={styles.count}>{words.refused(format.number(refused))}</li>
    </>
  );
}
