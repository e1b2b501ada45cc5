import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Folder } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { foldersQuery } from '../../../app/collections.js';
import { LINKS } from '../../../app/link-paths.js';
import { Section } from '../../../app/page.js';
import { useHasRole } from '../../../app/session.js';
import { Button } from '../../../parts/button.js';
import { ConfirmAction } from '../../../parts/confirm-action.js';
import { TextField } from '../../../parts/field.js';
import { FormDialog } from '../../../parts/form-dialog.js';
import { Icon } from '../../../parts/icon.js';
import { Loaded } from '../../../parts/loaded.js';
import { Menu } from '../../../parts/menu.js';
import { EmptyNotice } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { type Column, Table } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { useWords } from './words.js';

type Opened = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly folder: Folder } | null;

export function Folders() {
  const words = useWords();
  const mayWrite = useHasRole('Editor');
  const folders = useQuery(foldersQuery);
  const [opened, setOpened] = useState<Opened>(null);
  const add = mayWrite ? (
    <Button onClick={() => setOpened({ kind: 'add' })}>
      <Icon name="plus" size={18} />
      {words.folders.add}
    </Button>
  ) : null;
  return (
    <Section title={words.folders.heading} action={folders.data?.length === 0 ? null : add}>
      <Loaded query={folders}>
        {(list) =>
          list.length === 0 ? (
            <EmptyNotice heading={words.folders.none} action={add}>
              {words.folders.noneText}
            </EmptyNotice>
          ) : (
            <FolderTable folders={list} mayWrite={mayWrite} onOpen={setOpened} />
          )
        }
      </Loaded>
      <FolderDialogs opened={opened} onClose={() => setOpened(null)} />
    </Section>
  );
}

function FolderTable({
  folders,
  mayWrite,
  onOpen,
}: {
  readonly folders: readonly Folder[];
  readonly mayWrite: boolean;
  readonly onOpen: (opened: Opened) => void;
}) {
  const words = useWords();
  const format = useFormat();
  const columns: readonly Column<Folder>[] = [
    { key: 'name', header: words.name, kind: 'main', cell: ({ name }) => <span dir="auto">{name}</span> },
    {
      key: 'description',
      header: words.description,
      cell: ({ description }) => <span dir="auto">{description}</span>,
    },
    {
      key: 'links',
      header: words.links,
      kind: 'number',
      cell: ({ id, name, smartlinkCount }) => (
        <Link
          to={LINKS}
          search={{ folder: id, status: 'all' }}
          aria-label={words.showLinks(smartlinkCount, name)}
        >
          {format.number(smartlinkCount)}
        </Link>
      ),
    },
    { key: 'created', header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
  ];
  const actions: Column<Folder> = {
    key: 'actions',
    header: words.actions,
    kind: 'actions',
    cell: (folder) => (
      <Menu
        label={words.actionsFor(folder.name)}
        items={(['edit', 'remove'] as const).map((kind) => ({
          label: words[kind],
          icon: kind === 'edit' ? 'edit' : 'trash',
          onSelect: () => onOpen({ kind, folder }),
        }))}
      />
    ),
  };
  return (
    <Table
      label={words.folders.heading}
      columns={mayWrite ? [...columns, actions] : columns}
      rows={folders}
      rowKey={({ id }) => id}
    />
  );
}

function FolderDialogs({ opened, onClose }: { readonly opened: Opened; readonly onClose: () => void }) {
  const words = useWords();
  const say = useStatus();
  const changed = (said: string) => () => {
    void queryClient.invalidateQueries({ queryKey: ['folders'] });
    void queryClient.invalidateQueries({ queryKey: ['links'] });
    say(said);
  };
  if (opened === null) return null;
  if (opened.kind === 'add') return <FolderDialog onDone={changed(words.saved)} onClose={onClose} />;
  const { folder } = opened;
  if (opened.kind === 'edit') {
    return <FolderDialog folder={folder} onDone={changed(words.saved)} onClose={onClose} />;
  }
  return (
    <ConfirmAction
      title={words.folders.removeHeading(folder.name)}
      description={words.folders.removeText(folder.smartlinkCount)}
      confirmLabel={words.folders.removeSubmit}
      cancelLabel={words.folders.keep}
      action={() => api.folders.remove(folder.id)}
      onDone={changed(words.removed)}
      onClose={onClose}
    />
  );
}

function FolderDialog({
  folder,
  onDone,
  onClose,
}: {
  readonly folder?: Folder;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const [name, setName] = useState(folder?.name ?? '');
  const [description, setDescription] = useState(folder?.description ?? '');
  return (
    <FormDialog
      title={folder === undefined ? words.folders.add : words.folders.edit(folder.name)}
      submitLabel={words.save}
      cancelLabel={words.cancel}
      paths={['name', 'description']}
      action={() =>
        folder === undefined
          ? api.folders.create({ name, ...(description === '' ? {} : { description }) })
          : api.folders.update(folder.id, { name, description: description === '' ? null : description })
      }
      onDone={onDone}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            label={words.name}
            autoComplete="off"
            value={name}
            error={faults.get('name')}
            onChange={({ target: { value } }) => setName(value)}
          />
          <TextField
            label={words.description}
            autoComplete="off"
            value={description}
            error={faults.get('description')}
            onChange={({ target: { value } }) => setDescription(value)}
          />
        </>
      )}
    </FormDialog>
  );
}
