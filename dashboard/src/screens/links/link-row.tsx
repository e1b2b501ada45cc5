import { Link as RouterLink } from '@tanstack/react-router';
import { memo } from 'react';
import { linkPath } from '../../app/link-paths.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Icon } from '../../parts/icon.js';
import { InkMark } from '../../parts/ink.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { useFormat } from '../../words/format.js';
import styles from './links-table.module.css';
import type { Link } from './list.js';
import { useWords } from './words.js';

export type RowActions = {
  readonly toggle: (id: string) => void;
  readonly openQr: (link: Link) => void;
  readonly openMenu: (link: Link, button: HTMLElement) => void;
  /** Called when the menu is about to open. */
  readonly prepareMenu: () => void;
};

type RowProps = {
  readonly link: Link;
  readonly index: number;
  readonly isSelected: boolean;
  readonly mayWrite: boolean;
  readonly isMenuOpen: boolean;
  readonly actions: RowActions;
};

export const LinkRow = memo(function LinkRow(props: RowProps) {
  const { link, index, isSelected, mayWrite } = props;
  const words = useWords();
  const { types } = usePartsWords();
  const format = useFormat();
  const visits = link.analytics.totalClicks + link.analytics.totalQrCodeScans;
  return (
    <tr
      role="row"
      aria-rowindex={index + 1}
      data-index={index}
      className={`${styles.row} ${isSelected ? styles.selected : ''}`}
    >
      {mayWrite ? <SelectCell {...props} /> : null}
      <td role="cell" className={styles.name}>
        <InkMark type={link.type} themeColor={link.themeColor} />
        <div className={styles.texts}>
          <RouterLink to={linkPath(link.id)} className={styles.open} data-open dir="auto">
            {nameOf(link)}
          </RouterLink>
          <Under link={link} />
        </div>
      </td>
      <td role="cell" className={styles.address}>
        <Address relink={link.relink} />
        <CopyButton text={link.relink} label={words.copy(nameOf(link))} />
      </td>
      <td role="cell" className={styles.type}>
        {types[link.type]}
      </td>
      <td role="cell" className={`${styles.tags} ${styles.wideOnly}`}>
        <Tags tags={link.tags ?? []} />
      </td>
      <td role="cell" className={styles.number}>
        {format.number(visits)}
        <span className={styles.cardsOnly}>{words.visits(visits)}</span>
      </td>
      <td role="cell" className={`${styles.time} ${styles.wideOnly}`}>
        {link.lastVisitAt !== undefined ? format.ago(link.lastVisitAt) : visits > 0 ? '–' : words.never}
      </td>
      <td role="cell" className={`${styles.time} ${styles.wideOnly}`}>
        {format.shortDate(link.createdAt)}
      </td>
      <ActionsCell {...props} />
    </tr>
  );
});

const nameOf = ({ configuration }: Link): string => configuration.smartlinkName;

/** The address without its scheme, in two lines where it does not fit into one. The slug is cut last. */
function Address({ relink }: { readonly relink: string }) {
  const address = relink.replace(/^https?:\/\//, '');
  const slash = address.lastIndexOf('/');
  return (
    <a href={relink} target="_blank" rel="noreferrer" className={styles.relink}>
      <span className={styles.host}>{address.slice(0, slash)}</span>
      <span className={styles.slug}>{address.slice(slash)}</span>
    </a>
  );
}

function SelectCell({ link, isSelected, actions }: RowProps) {
  const words = useWords();
  return (
    <td role="cell" className={styles.check}>
      <label className={styles.box}>
        <input
          type="checkbox"
          aria-label={words.select(nameOf(link))}
          checked={isSelected}
          onChange={() => actions.toggle(link.id)}
        />
      </label>
    </td>
  );
}

function Tags({ tags: [first, second, ...rest] }: { readonly tags: readonly string[] }) {
  const words = useWords();
  return (
    <>
      {first === undefined ? null : <Tag name={first} />}
      {second === undefined ? null : (
        <span className={styles.lastTags}>
          <Tag name={second} />
          {rest.length > 0 ? <span className={styles.moreTags}>{words.moreTags(rest.length)}</span> : null}
        </span>
      )}
    </>
  );
}

const Tag = ({ name }: { readonly name: string }) => (
  <span className={styles.tag} dir="auto">
    {name}
  </span>
);

function ActionsCell({ link, isMenuOpen, actions }: RowProps) {
  const words = useWords();
  const { moreActions } = usePartsWords();
  return (
    <td role="cell" className={styles.actions}>
      <Button look="quiet" isIcon aria-label={words.qr(nameOf(link))} onClick={() => actions.openQr(link)}>
        <Icon name="qr" size={18} />
      </Button>
      <Button
        look="quiet"
        isIcon
        aria-label={moreActions(nameOf(link))}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onPointerEnter={actions.prepareMenu}
        onFocus={actions.prepareMenu}
        onClick={({ currentTarget }) => actions.openMenu(link, currentTarget)}
      >
        <Icon name="more" />
      </Button>
    </td>
  );
}

/** Second line of the name: status marks and destination. */
function Under({
  link: { status, pauseReason, archived, availability, destinationHost },
}: {
  readonly link: Link;
}) {
  const words = useWords();
  const { statuses, closed } = usePartsWords();
  const state = status === 'Active' ? (availability?.state ?? 'live') : 'live';
  const marks = [
    ...(pauseReason === undefined ? [] : [{ text: words.unsafe, icon: 'alert' as const }]),
    ...(status === 'Paused' && pauseReason === undefined
      ? [{ text: statuses[status], icon: 'pause' as const }]
      : []),
    ...(status === 'Deleted' ? [{ text: statuses[status], icon: 'trash' as const }] : []),
    ...(state === 'live' ? [] : [{ text: closed[state], icon: 'activity' as const }]),
    ...(archived === true ? [{ text: words.archivedMark, icon: 'folder' as const }] : []),
  ];
  if (marks.length === 0 && destinationHost === undefined) return null;
  return (
    <div className={styles.under}>
      {marks.map(({ text, icon }) => (
        <span key={text} className={styles.mark}>
          <Icon name={icon} size={14} />
          {text}
        </span>
      ))}
      {destinationHost === undefined ? null : <span className={styles.host}>{destinationHost}</span>}
    </div>
  );
}
