import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../../app/api.js';
import { useHasRole } from '../../app/session.js';
import { AddButton, type ButtonLook } from '../../parts/button.js';
import { ConfirmAction, useDialog } from '../../parts/dialogs/dialog.js';
import { List } from '../../parts/list.js';
import { Menu, type MenuItem } from '../../parts/menu.js';
import { EmptyNotice } from '../../parts/notice.js';
import { useStatus } from '../../parts/status.js';
import type { Column } from '../../parts/table.js';
import { useWords } from '../../parts/words.js';

export type DialogProps = { readonly onDone: () => void; readonly onClose: () => void };

type CollectionWords = {
  readonly heading: string;
  readonly add: string;
  readonly none: string;
  readonly noneText: string;
  readonly removeHeading: (name: string) => string;
  readonly removeSubmit: string;
  readonly keep: string;
};

type CollectionProps<Item> = {
  readonly words: CollectionWords;
  readonly query: UseQueryResult<readonly Item[]>;
  /** Query keys to refresh after a change. */
  readonly changes: readonly string[];
  readonly columns: readonly Column<Item>[];
  readonly addLook?: ButtonLook;
  /** Dialog that adds an item, or changes the given one. */
  readonly form: (dialog: DialogProps, item?: Item) => ReactNode;
  readonly removeText: (item: Item) => string;
  readonly remove: (id: string) => Promise<unknown>;
  readonly merge?: {
    readonly label: string;
    readonly done: string;
    readonly form: (dialog: DialogProps, item: Item) => ReactNode;
  };
  readonly children: (list: ReactNode, add: ReactNode) => ReactNode;
};

/** A list whose items Editors can add, change and delete. `children` places the list and the add button. */
export function Collection<Item extends { readonly id: string; readonly name: string }>(
  collection: CollectionProps<Item>,
) {
  const { words, query, changes, form, merge } = collection;
  const parts = useWords();
  const mayWrite = useHasRole('Editor');
  const say = useStatus();
  const { dialog, open, close } = useDialog();
  const props = (said: string): DialogProps => ({
    onDone: () => {
      for (const key of changes) void queryClient.invalidateQueries({ queryKey: [key] });
      say(said);
    },
    onClose: close,
  });
  const add = mayWrite ? (
    <AddButton look={collection.addLook ?? 'primary'} onClick={() => open(form(props(parts.saved)))}>
      {words.add}
    </AddButton>
  ) : null;
  const actionsOf = (item: Item): readonly MenuItem[] => [
    { label: parts.edit, icon: 'edit', onSelect: () => open(form(props(parts.saved), item)) },
    ...(merge === undefined || query.data?.length === 1
      ? []
      : [
          {
            label: merge.label,
            icon: 'tag' as const,
            onSelect: () => open(merge.form(props(merge.done), item)),
          },
        ]),
    {
      label: parts.remove,
      icon: 'trash',
      onSelect: () => open(<RemoveQuestion {...collection} item={item} {...props(parts.removed)} />),
    },
  ];
  const list = (
    <>
      <List
        query={query}
        empty={
          <EmptyNotice heading={words.none} action={add}>
            {words.noneText}
          </EmptyNotice>
        }
        label={words.heading}
        columns={collection.columns}
        rowKey={({ id }) => id}
        actions={
          mayWrite
            ? (item) => <Menu label={parts.moreActions(item.name)} items={actionsOf(item)} />
            : undefined
        }
      />
      {dialog}
    </>
  );
  return collection.children(list, query.data?.length === 0 ? null : add);
}

function RemoveQuestion<Item extends { readonly id: string; readonly name: string }>({
  words,
  item,
  removeText,
  remove,
  onDone,
  onClose,
}: CollectionProps<Item> & DialogProps & { readonly item: Item }) {
  return (
    <ConfirmAction
      title={words.removeHeading(item.name)}
      description={removeText(item)}
      confirmLabel={words.removeSubmit}
      cancelLabel={words.keep}
      action={() => remove(item.id)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
