import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Domain } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { LINKS } from '../../../app/link-paths.js';
import { Page } from '../../../app/page.js';
import { accountQuery, domainsQuery } from '../../../app/queries.js';
import { useHasRole } from '../../../app/session.js';
import { Badge } from '../../../parts/badge.js';
import { AddButton } from '../../../parts/button.js';
import { useDialog } from '../../../parts/dialogs/dialog.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import { TextField } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import { List } from '../../../parts/list.js';
import { EmptyNotice, InfoLine } from '../../../parts/notice.js';
import type { Column } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import styles from './domains.module.css';
import { refreshDomains, useProblem } from './state.js';
import { useWords } from './words.js';

export function Domains() {
  const words = useWords();
  const domains = useQuery(domainsQuery);
  const columns = useColumns();
  const isOwner = useHasRole('Owner');
  const plan = useQuery(accountQuery).data?.plan;
  const { dialog, open, close } = useDialog();
  const isRestricted = plan?.advanced === false;
  const add =
    isOwner && !isRestricted ? (
      <AddButton onClick={() => open(<AddDialog onClose={close} />)}>{words.add}</AddButton>
    ) : null;
  return (
    <Page title={words.heading} intro={words.intro} action={domains.data?.length === 0 ? null : add}>
      {isRestricted ? <InfoLine>{words.notInPlan}</InfoLine> : null}
      <List
        query={domains}
        lines={4}
        empty={
          <EmptyNotice heading={words.none} action={add}>
            {isOwner ? words.noneText : words.noneOfOwner}
          </EmptyNotice>
        }
        label={words.heading}
        columns={columns}
        rowKey={({ id }) => id}
      />
      {dialog}
    </Page>
  );
}

function useColumns(): readonly Column<Domain>[] {
  const words = useWords();
  const { number, shortDate } = useFormat();
  return [
    {
      header: words.host,
      kind: 'main',
      cell: ({ id, host, isDefault }) => (
        <span className={styles.host}>
          <Link to="/dashboard/settings/domains/$id" params={{ id }}>
            {host}
          </Link>
          {isDefault ? <Badge>{words.isDefault}</Badge> : null}
        </span>
      ),
    },
    { header: words.status, cell: (domain) => <Status domain={domain} /> },
    {
      header: words.links,
      kind: 'number',
      cell: ({ host, smartlinkCount }) => (
        <Link
          to={LINKS}
          search={{ domain: host, status: 'all' }}
          aria-label={words.showLinks(smartlinkCount, host)}
        >
          {number(smartlinkCount)}
        </Link>
      ),
    },
    { header: words.added, cell: ({ createdAt }) => shortDate(createdAt) },
  ];
}

/** The status in words, with what the last look found. */
export function Status({ domain: { status, verification } }: { readonly domain: Domain }) {
  const words = useWords();
  const problemOf = useProblem();
  const problem = problemOf(verification.problem);
  return (
    <div className={styles.status}>
      <span className={styles.name}>
        <Icon name={status === 'Active' ? 'check' : 'alert'} size={18} />
        {words.statuses[status]}
      </span>
      <span className={styles.meaning}>{words.meanings[status]}</span>
      {problem === null ? null : <span className={styles.meaning}>{problem}</span>}
    </div>
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const navigate = useNavigate();
  return (
    <FormDialog
      title={words.add}
      description={words.addText}
      submitLabel={words.addSubmit}
      values={{ host: '' }}
      action={async ({ host }) => {
        const { data } = await api.domains.create({ host: host.trim() });
        await refreshDomains();
        return data.id;
      }}
      onDone={(id) => void navigate({ to: '/dashboard/settings/domains/$id', params: { id } })}
      onClose={onClose}
    >
      {({ field }) => (
        <TextField
          label={words.hostName}
          description={words.hostHint}
          autoComplete="off"
          autoCapitalize="none"
          inputMode="url"
          spellCheck={false}
          placeholder="go.example.com"
          {...field('host')}
        />
      )}
    </FormDialog>
  );
}
