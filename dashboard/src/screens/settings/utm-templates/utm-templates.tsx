import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UtmTemplate } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { utmTemplatesQuery } from '../../../app/collections.js';
import { Page } from '../../../app/page.js';
import { useHasRole } from '../../../app/session.js';
import { Button } from '../../../parts/button.js';
import { ConfirmAction } from '../../../parts/confirm-action.js';
import { Icon } from '../../../parts/icon.js';
import { Loaded } from '../../../parts/loaded.js';
import { Menu } from '../../../parts/menu.js';
import { EmptyNotice } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { type Column, Table } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { FIELDS, parameterOf, TemplateDialog } from './template-dialog.js';
import styles from './utm-templates.module.css';
import { useWords } from './words.js';

type Opened =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove'; readonly template: UtmTemplate }
  | null;

export function UtmTemplates() {
  const words = useWords();
  const mayWrite = useHasRole('Editor');
  const templates = useQuery(utmTemplatesQuery);
  const [opened, setOpened] = useState<Opened>(null);
  const add = mayWrite ? (
    <Button look="primary" onClick={() => setOpened({ kind: 'add' })}>
      <Icon name="plus" />
      {words.add}
    </Button>
  ) : null;
  return (
    <Page title={words.heading} intro={words.intro} action={templates.data?.length === 0 ? null : add}>
      <Loaded query={templates} lines={4}>
        {(list) =>
          list.length === 0 ? (
            <EmptyNotice heading={words.none} action={add}>
              {words.noneText}
            </EmptyNotice>
          ) : (
            <TemplateTable templates={list} mayWrite={mayWrite} onOpen={setOpened} />
          )
        }
      </Loaded>
      <Dialogs opened={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}

function TemplateTable({
  templates,
  mayWrite,
  onOpen,
}: {
  readonly templates: readonly UtmTemplate[];
  readonly mayWrite: boolean;
  readonly onOpen: (opened: Opened) => void;
}) {
  const words = useWords();
  const format = useFormat();
  const columns: readonly Column<UtmTemplate>[] = [
    { key: 'name', header: words.name, kind: 'main', cell: ({ name }) => <span dir="auto">{name}</span> },
    {
      key: 'parameters',
      header: words.parameters,
      cell: ({ utm }) => (
        <span className={styles.parameters}>
          {FIELDS.filter((field) => utm[field] !== undefined).map((field) => (
            <code key={field}>
              {parameterOf(field)}={utm[field]}
            </code>
          ))}
        </span>
      ),
    },
    { key: 'created', header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
  ];
  const actions: Column<UtmTemplate> = {
    key: 'actions',
    header: words.actions,
    kind: 'actions',
    cell: (template) => (
      <Menu
        label={words.actionsFor(template.name)}
        items={(['edit', 'remove'] as const).map((kind) => ({
          label: words[kind],
          icon: kind === 'edit' ? 'edit' : 'trash',
          onSelect: () => onOpen({ kind, template }),
        }))}
      />
    ),
  };
  return (
    <Table
      label={words.heading}
      columns={mayWrite ? [...columns, actions] : columns}
      rows={templates}
      rowKey={({ id }) => id}
    />
  );
}

function Dialogs({ opened, onClose }: { readonly opened: Opened; readonly onClose: () => void }) {
  const words = useWords();
  const say = useStatus();
  const changed = (said: string) => () => {
    void queryClient.invalidateQueries({ queryKey: utmTemplatesQuery.queryKey });
    say(said);
  };
  if (opened === null) return null;
  if (opened.kind === 'add') return <TemplateDialog onDone={changed(words.saved)} onClose={onClose} />;
  const { template } = opened;
  if (opened.kind === 'edit') {
    return <TemplateDialog template={template} onDone={changed(words.saved)} onClose={onClose} />;
  }
  return (
    <ConfirmAction
      title={words.removeHeading(template.name)}
      description={words.removeText}
      confirmLabel={words.removeSubmit}
      cancelLabel={words.keep}
      action={() => api.utmTemplates.remove(template.id)}
      onDone={changed(words.removed)}
      onClose={onClose}
    />
  );
}
