import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { Page } from '../../../app/page.js';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { Loaded } from '../../../parts/loaded.js';
import { EmptyNotice } from '../../../parts/notice.js';
import { pagesQuery } from '../../../parts/pages.js';
import { ShowMore } from '../../../parts/show-more.js';
import { type Column, Table } from '../../../parts/table.js';
import { type Format, useFormat } from '../../../words/format.js';
import { presetOf } from './access.js';
import styles from './api-keys.module.css';
import { GenerateDialog } from './generate-dialog.js';
import { RevokeDialog } from './revoke-dialog.js';
import { RotateDialog } from './rotate-dialog.js';
import { useWords } from './words.js';

const QUERY = pagesQuery(['keys'], (page, signal) => api.keys.list(page, { signal }));

type Opened =
  | { readonly kind: 'generate' }
  | { readonly kind: 'rotate' | 'revoke'; readonly apiKey: ApiKey }
  | null;

export function ApiKeys() {
  const words = useWords();
  const keys = useInfiniteQuery(QUERY);
  const [opened, setOpened] = useState<Opened>(null);
  const generate = (
    <Button look="primary" onClick={() => setOpened({ kind: 'generate' })}>
      <Icon name="plus" />
      {words.generate}
    </Button>
  );
  const close = () => setOpened(null);
  return (
    <Page title={words.heading} intro={words.intro} action={keys.data?.length === 0 ? null : generate}>
      <Loaded query={keys} lines={4}>
        {(list) =>
          list.length === 0 ? (
            <EmptyNotice heading={words.none} action={generate}>
              {words.noneText}
            </EmptyNotice>
          ) : (
            <KeyTable keys={list} onOpen={setOpened} />
          )
        }
      </Loaded>
      <ShowMore query={keys} />
      {opened?.kind === 'generate' ? <GenerateDialog onClose={close} /> : null}
      {opened?.kind === 'rotate' ? <RotateDialog apiKey={opened.apiKey} onClose={close} /> : null}
      {opened?.kind === 'revoke' ? <RevokeDialog apiKey={opened.apiKey} onClose={close} /> : null}
    </Page>
  );
}

function KeyTable({
  keys,
  onOpen,
}: {
  readonly keys: readonly ApiKey[];
  readonly onOpen: (opened: Opened) => void;
}) {
  const words = useWords();
  const format = useFormat();
  const columns: readonly Column<ApiKey>[] = [
    { key: 'name', header: words.name, kind: 'main', cell: ({ name }) => name },
    {
      key: 'key',
      header: words.key,
      cell: ({ displayPrefix }) => <code className={styles.prefix}>{displayPrefix}…</code>,
    },
    { key: 'access', header: words.access, cell: ({ scopes }) => words.presets[presetOf(scopes)] },
    { key: 'created', header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
    {
      key: 'lastUsed',
      header: words.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? words.never : format.ago(lastUsedAt)),
    },
    {
      key: 'expires',
      header: words.expires,
      cell: ({ expiresAt }) => expiryText(expiresAt, words, format),
    },
    {
      key: 'actions',
      header: words.actions,
      kind: 'actions',
      cell: (apiKey) => (
        <div className={styles.actions}>
          <Button
            look="quiet"
            aria-label={words.rotateKey(apiKey.name)}
            onClick={() => onOpen({ kind: 'rotate', apiKey })}
          >
            {words.rotate}
          </Button>
          <Button
            look="quiet"
            aria-label={words.revokeKey(apiKey.name)}
            onClick={() => onOpen({ kind: 'revoke', apiKey })}
          >
            {words.revoke}
          </Button>
        </div>
      ),
    },
  ];
  return <Table label={words.heading} columns={columns} rows={keys} rowKey={({ id }) => id} />;
}

function expiryText(
  expiresAt: string | undefined,
  words: ReturnType<typeof useWords>,
  format: Format,
): string {
  if (expiresAt === undefined) return words.never;
  const date = format.shortDate(expiresAt);
  return Date.parse(expiresAt) <= Date.now() ? words.expired(date) : date;
}
