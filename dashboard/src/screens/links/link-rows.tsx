import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { api } from '../../app/api.js';
import { withWords } from '../../app/preferences.js';
import { useShortcuts } from '../../app/shortcuts.js';
import { ErrorLine } from '../../parts/notice.js';
import { useStatus } from '../../parts/status.js';
import type { LinksSearch } from './filters.js';
import type { RowActions } from './link-row.js';
import { LinksTable } from './links-table.js';
import styles from './links.module.css';
import { type Link, type LinkList, showChanged } from './list.js';
import { useWords } from './words.js';

// Menus and dialogs load on first use.
const loadMenu = () => import('./changes/row-menu.js');
const RowMenu = lazy(async () => ({ default: (await loadMenu()).RowMenu }));
const BulkBar = lazy(async () => ({ default: (await import('./changes/bulk-bar.js')).BulkBar }));
const DeleteDialog = lazy(async () => ({
  default: (await import('./changes/delete-dialog.js')).DeleteDialog,
}));
const loadQrDialog = withWords(() => import('../qr/qr-dialog.js'), 'screens/qr');
const QrDialog = lazy(async () => ({ default: (await loadQrDialog()).QrDialog }));

const NONE: ReadonlySet<string> = new Set();

type Opened =
  | { readonly kind: 'menu'; readonly link: Link; readonly button: HTMLElement }
  | { readonly kind: 'qr' | 'delete'; readonly link: Link }
  | null;

type Status = 'Active' | 'Paused';

/** The table with its selection, menus and dialogs. */
export function LinkRows({
  search,
  list: { links, total },
  mayWrite,
  hasNextPage,
  isLoading,
  onNextPage,
}: {
  readonly search: LinksSearch;
  readonly list: LinkList;
  readonly mayWrite: boolean;
  readonly hasNextPage: boolean;
  readonly isLoading: boolean;
  readonly onNextPage: () => Promise<unknown>;
}) {
  const words = useWords();
  const [selected, setSelected] = useState(NONE);
  const [opened, setOpened] = useState<Opened>(null);
  const actions = useActions(setSelected, setOpened);
  const { change, failure } = useChangeStatus();
  const readNext = useCallback(() => void onNextPage(), [onNextPage]);
  useShortcuts({
    Escape: () => setSelected(NONE),
  });
  return (
    <>
      <ErrorLine error={failure} />
      <LinksTable
        links={links}
        total={total}
        selected={selected}
        mayWrite={mayWrite}
        menuId={opened?.kind === 'menu' ? opened.link.id : undefined}
        actions={actions}
        onSelectAll={(isSelected) => setSelected(isSelected ? new Set(links.map(({ id }) => id)) : NONE)}
        hasNextPage={hasNextPage && !isLoading}
        onNextPage={readNext}
      />
      {isLoading ? <p className={styles.count}>{words.loadingMore}</p> : null}
      <Suspense fallback={null}>
        <OpenedOf
          opened={opened}
          mayWrite={mayWrite}
          onOpen={setOpened}
          onChangeStatus={change}
          onDeleted={(id) => setSelected((before) => without(before, id))}
        />
        {selected.size > 0 ? (
          <BulkBar
            selected={selected}
            search={search}
            canSelectMore={hasNextPage || (total ?? Infinity) > selected.size}
            onSelect={setSelected}
          />
        ) : null}
      </Suspense>
    </>
  );
}

const without = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set([...ids].filter((each) => each !== id));

function useActions(
  setSelected: (update: (before: ReadonlySet<string>) => ReadonlySet<string>) => void,
  setOpened: (opened: Opened) => void,
): RowActions {
  return useMemo(
    () => ({
      toggle: (id) =>
        setSelected((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
      openQr: (link) => setOpened({ kind: 'qr', link }),
      openMenu: (link, button) => setOpened({ kind: 'menu', link, button }),
      prepareMenu: () => void loadMenu(),
    }),
    [setSelected, setOpened],
  );
}

function useChangeStatus() {
  const words = useWords();
  const say = useStatus();
  const [failure, setFailure] = useState<unknown>(null);
  const change = async (id: string, status: Status) => {
    setFailure(null);
    try {
      await api.smartlinks.setStatus(id, status);
      showChanged([id], status);
      say(status === 'Paused' ? words.paused(1) : words.activated(1));
    } catch (err) {
      setFailure(err);
    }
  };
  return { change, failure };
}

/** The menu or the dialog of one row. */
function OpenedOf({
  opened,
  mayWrite,
  onOpen,
  onChangeStatus,
  onDeleted,
}: {
  readonly opened: Opened;
  readonly mayWrite: boolean;
  readonly onOpen: (update: Opened | ((before: Opened) => Opened)) => void;
  readonly onChangeStatus: (id: string, status: Status) => Promise<void>;
  readonly onDeleted: (id: string) => void;
}) {
  if (opened === null) return null;
  const { link } = opened;
  const close = () => onOpen(null);
  if (opened.kind === 'qr') return <QrDialog link={link} onClose={close} />;
  if (opened.kind === 'menu') {
    return (
      <RowMenu
        key={link.id}
        link={link}
        button={opened.button}
        mayWrite={mayWrite}
        onClose={() =>
          // A menu item may have opened a dialog.
          onOpen((before) => (before?.kind === 'menu' ? null : before))
        }
        onChangeStatus={(status) => void onChangeStatus(link.id, status)}
        onDelete={() => onOpen({ kind: 'delete', link })}
      />
    );
  }
  return (
    <DeleteDialog
      ids={[link.id]}
      name={link.configuration.smartlinkName}
      onClose={close}
      onDeleted={([id]) => {
        if (id !== undefined) onDeleted(id);
      }}
    />
  );
}
