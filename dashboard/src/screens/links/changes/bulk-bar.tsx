import { Toolbar } from '@base-ui/react/toolbar';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { accountQuery } from '../../../app/queries.js';
import { Button } from '../../../parts/button.js';
import { Icon, type IconName } from '../../../parts/icon.js';
import { ErrorLine, ErrorText, InfoLine } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { useWords as usePartsWords } from '../../../parts/words.js';
import { useFormat } from '../../../words/format.js';
import type { LinksSearch } from '../filters.js';
import { findIds, showChanged } from '../list.js';
import { useWords } from '../words.js';
import styles from './bulk-bar.module.css';
import { runBulk, SELECTED_MAX } from './bulk.js';
import { DeleteDialog } from './delete-dialog.js';
import { Progress } from './progress.js';
import { TagsDialog } from './tags-dialog.js';

type BarProps = {
  readonly selected: ReadonlySet<string>;
  readonly search: LinksSearch;
  /** Whether more links match than are selected. */
  readonly canSelectMore: boolean;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
};

/** Toolbar for the selected links, at the bottom of the window. */
export function BulkBar({ selected, search, canSelectMore, onSelect }: BarProps) {
  const words = useWords();
  const [opened, setOpened] = useState<'delete' | 'tags' | null>(null);
  const { data: account } = useQuery(accountQuery);
  const hasBulk = account?.plan.advanced !== false;
  const ids = [...selected];
  const status = useChangeStatus();
  const matching = useSelectMatching(search, onSelect);
  const close = () => setOpened(null);
  return (
    <div className={styles.place}>
      <div className={styles.panel}>
        <div className={styles.messages}>
          {hasBulk ? null : <InfoLine>{words.planNoBulk}</InfoLine>}
          {status.isPending ? (
            <Progress label={words.working} done={status.done} total={selected.size} />
          ) : null}
          {matching.isPending ? (
            <Progress label={words.collecting} done={matching.found} total={SELECTED_MAX} />
          ) : null}
          {status.refused > 0 ? <ErrorText>{words.refused(status.refused)}</ErrorText> : null}
          <ErrorLine error={status.error ?? matching.error} />
        </div>
        <Tools
          count={selected.size}
          isBusy={status.isPending || matching.isPending}
          hasBulk={hasBulk}
          onSelectMatching={canSelectMore && selected.size < SELECTED_MAX ? matching.start : undefined}
          onChangeStatus={(to) => status.change({ ids, status: to })}
          onOpen={setOpened}
          onClear={() => onSelect(new Set())}
        />
      </div>
      {opened === 'tags' ? <TagsDialog ids={ids} onClose={close} /> : null}
      {opened === 'delete' ? (
        <DeleteDialog
          ids={ids}
          onClose={close}
          onDeleted={(deleted) => onSelect(new Set(ids.filter((id) => !deleted.includes(id))))}
        />
      ) : null}
    </div>
  );
}

type Tool = {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly needsBulk?: boolean;
};

function Tools({
  count,
  isBusy,
  hasBulk,
  onSelectMatching,
  onChangeStatus,
  onOpen,
  onClear,
}: {
  readonly count: number;
  readonly isBusy: boolean;
  readonly hasBulk: boolean;
  /** Undefined when no more links match or the selection is full. */
  readonly onSelectMatching: (() => void) | undefined;
  readonly onChangeStatus: (status: 'Active' | 'Paused') => void;
  readonly onOpen: (dialog: 'delete' | 'tags') => void;
  readonly onClear: () => void;
}) {
  const words = useWords();
  const parts = usePartsWords();
  const format = useFormat();
  const changeTo = (status: 'Active' | 'Paused') => () => onChangeStatus(status);
  const open = (dialog: 'delete' | 'tags') => () => onOpen(dialog);
  const tools: readonly Tool[] = [
    ...(onSelectMatching === undefined
      ? []
      : [{ icon: 'check' as const, label: words.selectMatching, onClick: onSelectMatching }]),
    { icon: 'pause', label: parts.pause, onClick: changeTo('Paused') },
    { icon: 'play', label: parts.activate, onClick: changeTo('Active') },
    { icon: 'tag', label: words.addTags, onClick: open('tags') },
    { icon: 'trash', label: parts.remove, onClick: open('delete') },
    { icon: 'close', label: words.clearSelection, onClick: onClear, needsBulk: false },
  ];
  return (
    <Toolbar.Root aria-label={words.bar} className={styles.bar}>
      <p className={styles.selected}>{words.selected(format.number(count))}</p>
      {count === SELECTED_MAX ? (
        <span className={styles.hint}>{words.atMost(format.number(SELECTED_MAX))}</span>
      ) : null}
      {tools.map(({ icon, label, onClick, needsBulk = true }) => (
        <Toolbar.Button
          key={label}
          render={<Button look="quiet" isBusy={isBusy || (needsBulk && !hasBulk)} onClick={onClick} />}
        >
          <Icon name={icon} size={18} />
          {label}
        </Toolbar.Button>
      ))}
    </Toolbar.Root>
  );
}

function useChangeStatus() {
  const words = useWords();
  const say = useStatus();
  const [done, setDone] = useState(0);
  const change = useMutation({
    mutationFn: ({
      ids,
      status,
    }: {
      readonly ids: readonly string[];
      readonly status: 'Active' | 'Paused';
    }) => runBulk(ids, (id) => ({ status: { id, status } }), setDone),
    onMutate: () => setDone(0),
    onSuccess: ({ succeeded }, { status }) => {
      showChanged(succeeded, status);
      if (succeeded.length > 0) {
        say(status === 'Paused' ? words.paused(succeeded.length) : words.activated(succeeded.length));
      }
    },
  });
  return {
    change: change.mutate,
    isPending: change.isPending,
    error: change.error,
    refused: change.data?.refused.length ?? 0,
    done,
  };
}

/** Selects all matching links, at most SELECTED_MAX. */
function useSelectMatching(search: LinksSearch, onSelect: (selected: ReadonlySet<string>) => void) {
  const [found, setFound] = useState(0);
  const aborted = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    aborted.current = controller;
    return () => {
      controller.abort();
    };
  }, []);
  const collect = useMutation({
    mutationFn: () => findIds(search, SELECTED_MAX, aborted.current.signal, setFound),
    onSuccess: (ids) => onSelect(new Set(ids)),
  });
  return {
    start: () => {
      setFound(0);
      collect.mutate();
    },
    isPending: collect.isPending,
    error: collect.error,
    found,
  };
}
