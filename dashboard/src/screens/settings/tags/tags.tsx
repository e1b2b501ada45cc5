import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import type { Tag } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { tagsQuery } from '../../../app/collections.js';
import { LINKS } from '../../../app/link-paths.js';
import { Page, Section } from '../../../app/page.js';
import { useHasRole } from '../../../app/session.js';
import { Button } from '../../../parts/button.js';
import { ConfirmAction } from '../../../parts/confirm-action.js';
import { Icon } from '../../../parts/icon.js';
import { inkOf } from '../../../parts/ink.js';
import { Loaded } from '../../../parts/loaded.js';
import { Menu } from '../../../parts/menu.js';
import { EmptyNotice } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { type Column, Table } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { Folders } from './folders.js';
import { MergeDialog, TagDialog } from './tag-dialog.js';
import styles from './tags.module.css';
import { useWords } from './words.js';

const ICONS = { edit: 'edit', merge: 'tag', remove: 'trash' } as const;

type Opened =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'merge' | 'remove'; readonly tag: Tag }
  | null;

export function Tags() {
  const words = useWords();
  return (
    <Page title={words.heading} intro={words.intro}>
      <TagSection />
      <Folders />
    </Page>
  );
}

function TagSection() {
  const words = useWords();
  const mayWrite = useHasRole('Editor');
  const tags = useQuery(tagsQuery);
  const [opened, setOpened] = useState<Opened>(null);
  const add = mayWrite ? (
    <Button onClick={() => setOpened({ kind: 'add' })}>
      <Icon name="plus" size={18} />
      {words.tags.add}
    </Button>
  ) : null;
  return (
    <Section title={words.tags.heading} action={tags.data?.length === 0 ? null : add}>
      <Loaded query={tags}>
        {(list) =>
          list.length === 0 ? (
            <EmptyNotice heading={words.tags.none} action={add}>
              {words.tags.noneText}
            </EmptyNotice>
          ) : (
            <TagTable tags={list} mayWrite={mayWrite} onOpen={setOpened} />
          )
        }
      </Loaded>
      <TagDialogs opened={opened} others={tags.data ?? []} onClose={() => setOpened(null)} />
    </Section>
  );
}

function TagTable({
  tags,
  mayWrite,
  onOpen,
}: {
  readonly tags: readonly Tag[];
  readonly mayWrite: boolean;
  readonly onOpen: (opened: Opened) => void;
}) {
  const words = useWords();
  const format = useFormat();
  const columns: readonly Column<Tag>[] = [
    {
      key: 'name',
      header: words.name,
      kind: 'main',
      cell: ({ name, color }) => (
        <span className={styles.name}>
          <Swatch color={color} />
          <span dir="auto">{name}</span>
        </span>
      ),
    },
    {
      key: 'links',
      header: words.links,
      kind: 'number',
      cell: ({ name, smartlinkCount }) => (
        <Link
          to={LINKS}
          search={{ tag: name, status: 'all' }}
          aria-label={words.showLinks(smartlinkCount, name)}
        >
          {format.number(smartlinkCount)}
        </Link>
      ),
    },
    { key: 'created', header: words.created, cell: ({ createdAt }) => format.shortDate(createdAt) },
  ];
  const actions: Column<Tag> = {
    key: 'actions',
    header: words.actions,
    kind: 'actions',
    cell: (tag) => (
      <Menu
        label={words.actionsFor(tag.name)}
        items={(['edit', 'merge', 'remove'] as const)
          .filter((kind) => kind !== 'merge' || tags.length > 1)
          .map((kind) => ({
            label: words[kind],
            icon: ICONS[kind],
            onSelect: () => onOpen({ kind, tag }),
          }))}
      />
    ),
  };
  return (
    <Table
      label={words.tags.heading}
      columns={mayWrite ? [...columns, actions] : columns}
      rows={tags}
      rowKey={({ id }) => id}
    />
  );
}

/** The colour that an owner gave a tag; an outline without one. */
function Swatch({ color }: { readonly color: string | undefined }) {
  if (color === undefined) return <span className={styles.swatch} />;
  return <span className={styles.swatch} style={{ '--ink': inkOf(color) } as CSSProperties} data-colored />;
}

function TagDialogs({
  opened,
  others,
  onClose,
}: {
  readonly opened: Opened;
  readonly others: readonly Tag[];
  readonly onClose: () => void;
}) {
  const words = useWords();
  const say = useStatus();
  const changed = (said: string) => () => {
    void queryClient.invalidateQueries({ queryKey: ['tags'] });
    void queryClient.invalidateQueries({ queryKey: ['links'] });
    say(said);
  };
  if (opened === null) return null;
  if (opened.kind === 'add') return <TagDialog onDone={changed(words.saved)} onClose={onClose} />;
  const { tag } = opened;
  if (opened.kind === 'edit') return <TagDialog tag={tag} onDone={changed(words.saved)} onClose={onClose} />;
  if (opened.kind === 'merge') {
    return <MergeDialog tag={tag} tags={others} onDone={changed(words.tags.merged)} onClose={onClose} />;
  }
  return (
    <ConfirmAction
      title={words.tags.removeHeading(tag.name)}
      description={words.tags.removeText(tag.smartlinkCount)}
      confirmLabel={words.tags.removeSubmit}
      cancelLabel={words.tags.keep}
      action={() => api.tags.remove(tag.id)}
      onDone={changed(words.removed)}
      onClose={onClose}
    />
  );
}
