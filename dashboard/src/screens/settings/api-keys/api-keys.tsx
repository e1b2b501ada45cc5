import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApiKey } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { Page } from '../../../app/page.js';
import { AddButton, Button } from '../../../parts/button.js';
import { useConfirmed } from '../../../parts/dialogs/confirm-identity.js';
import { ConfirmAction, useDialog } from '../../../parts/dialogs/dialog.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import { SecretDialog } from '../../../parts/dialogs/secret-dialog.js';
import { optionsOf, SelectField } from '../../../parts/field.js';
import { List, pagesQuery } from '../../../parts/list.js';
import { EmptyNotice } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import type { Column } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { presetOf } from './access.js';
import styles from './api-keys.module.css';
import { GenerateDialog } from './generate-dialog.js';
import { useWords } from './words.js';

const QUERY = pagesQuery(['keys'], (page, signal) => api.keys.list(page, { signal }));
const refreshKeys = () => queryClient.invalidateQueries({ queryKey: QUERY.queryKey });

export function ApiKeys() {
  const words = useWords();
  const keys = useInfiniteQuery(QUERY);
  const columns = useColumns();
  const { dialog, open, close } = useDialog();
  const showKey = (title: string) => (apiKey: string) => {
    void refreshKeys();
    open(
      <SecretDialog
        title={title}
        label={words.newKey}
        description={words.newKeyText}
        secret={apiKey}
        copyLabel={words.copyKey}
        onClose={close}
      />,
    );
  };
  const generate = (
    <AddButton onClick={() => open(<GenerateDialog onDone={showKey(words.generate)} onClose={close} />)}>
      {words.generate}
    </AddButton>
  );
  const rotate = (apiKey: ApiKey) => (
    <RotateDialog apiKey={apiKey} onDone={showKey(words.rotateHeading(apiKey.name))} onClose={close} />
  );
  return (
    <Page title={words.heading} intro={words.intro} action={keys.data?.length === 0 ? null : generate}>
      <List
        query={keys}
        empty={
          <EmptyNotice heading={words.none} action={generate}>
            {words.noneText}
          </EmptyNotice>
        }
        label={words.heading}
        columns={columns}
        rowKey={({ id }) => id}
        actions={(apiKey) => (
          <>
            <Button
              look="quiet"
              aria-label={words.rotateKey(apiKey.name)}
              onClick={() => open(rotate(apiKey))}
            >
              {words.rotate}
            </Button>
            <Button
              look="quiet"
              aria-label={words.revokeKey(apiKey.name)}
              onClick={() => open(<RevokeDialog apiKey={apiKey} onClose={close} />)}
            >
              {words.revoke}
            </Button>
          </>
        )}
      />
      {dialog}
    </Page>
  );
}

function useColumns(): readonly Column<ApiKey>[] {
  const words = useWords();
  const format = useFormat();
  const expiryOf = (expiresAt: string | undefined): string => {
    if (expiresAt === undefined) return words.never;
    const date = format.shortDate(expiresAt);
    return Date.parse(expiresAt) <= Date.now() ? words.expired(date) : date;
  };
  return [
    { header: words.name, kind: 'main', cell: ({ name }) => name },
    {
      header: words.key,
      cell: ({ displayPrefix }) => <code className={styles.prefix}>{displayPrefix}…</code>,
    },
    { header: words.access, cell: ({ scopes }) => words.presets[presetOf(scopes)] },
    { header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
    {
      header: words.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? words.never : format.ago(lastUsedAt)),
    },
    { header: words.expires, cell: ({ expiresAt }) => expiryOf(expiresAt) },
  ];
}

type KeyProps = { readonly apiKey: ApiKey; readonly onClose: () => void };

const GRACE_SECONDS = { now: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
const FIRST: { readonly grace: keyof typeof GRACE_SECONDS } = { grace: 'day' };

function RotateDialog({
  apiKey: { id, name },
  ...dialog
}: KeyProps & { readonly onDone: (apiKey: string) => void }) {
  const words = useWords();
  const confirmed = useConfirmed();
  return (
    <FormDialog
      title={words.rotateHeading(name)}
      description={words.rotateText}
      submitLabel={words.rotateSubmit}
      values={FIRST}
      action={async ({ grace }) =>
        (await confirmed(() => api.keys.rotate(id, GRACE_SECONDS[grace]))).data.apiKey
      }
      {...dialog}
    >
      {({ field }) => (
        <SelectField label={words.grace} options={optionsOf(words.graces)} {...field('grace')} />
      )}
    </FormDialog>
  );
}

function RevokeDialog({ apiKey: { id, name }, onClose }: KeyProps) {
  const words = useWords();
  const say = useStatus();
  const confirmed = useConfirmed();
  return (
    <ConfirmAction
      title={words.revokeHeading(name)}
      description={words.revokeText}
      confirmLabel={words.revokeSubmit}
      cancelLabel={words.keep}
      action={async () => {
        await confirmed(() => api.keys.revoke(id));
        await refreshKeys();
      }}
      onDone={() => say(words.revoked)}
      onClose={onClose}
    />
  );
}
