import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Smartlink } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { copyPath, editPath, LINKS, qrPath } from '../../app/link-paths.js';
import { foldersQuery } from '../../app/queries.js';
import { useHasRole } from '../../app/session.js';
import { ButtonLink } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { ConfirmAction } from '../../parts/dialogs/dialog.js';
import { Icon } from '../../parts/icon.js';
import { Menu, type MenuItem } from '../../parts/menu.js';
import { ErrorLine } from '../../parts/notice.js';
import { useStatus } from '../../parts/status.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import styles from './link.module.css';
import { useWords } from './words.js';

/** Status, type, address, folder and tags, below the heading. */
export function LinkAddress({ link }: { readonly link: Smartlink }) {
  const { type, status, relink, availability, tags = [], folderId } = link;
  const words = useWords();
  const { types, statuses, closed } = usePartsWords();
  const state = status === 'Active' ? (availability?.state ?? 'live') : 'live';
  const isOpen = status === 'Active' && state === 'live';
  return (
    <div className={styles.address}>
      <span className={isOpen ? styles.active : styles.status}>
        {state === 'live' ? statuses[status] : closed[state]}
      </span>
      <span>{types[type]}</span>
      <span className={styles.copied}>
        <a href={relink} target="_blank" rel="noreferrer">
          {relink.replace(/^https?:\/\//, '')}
        </a>
        <CopyButton text={relink} label={words.copy} />
      </span>
      {folderId === undefined || folderId === null ? null : <FolderLink id={folderId} />}
      {tags.map((tag) => (
        <Link key={tag} to={LINKS} search={{ tag }} className={styles.tag} dir="auto">
          {tag}
        </Link>
      ))}
    </div>
  );
}

/** Leads to the links of the folder. */
function FolderLink({ id }: { readonly id: string }) {
  const folders = useQuery(foldersQuery);
  const folder = folders.data?.find((each) => each.id === id);
  if (folder === undefined) return null;
  return (
    <Link to={LINKS} search={{ folder: id }} className={styles.folder} dir="auto">
      <Icon name="folder" size={18} />
      {folder.name}
    </Link>
  );
}

export function LinkActions({ link }: { readonly link: Smartlink }) {
  const words = useWords();
  const parts = usePartsWords();
  const mayWrite = useHasRole('Editor');
  const { id, status } = link;
  return (
    <div className={styles.actions}>
      {mayWrite && status !== 'Deleted' ? (
        <ButtonLink to={editPath(id)}>
          <Icon name="edit" size={18} />
          {parts.edit}
        </ButtonLink>
      ) : null}
      <ButtonLink to={qrPath(id)}>
        <Icon name="qr" size={18} />
        {words.qr}
      </ButtonLink>
      {mayWrite ? <More link={link} /> : null}
    </div>
  );
}

function More({ link: { id, type, status, configuration } }: { readonly link: Smartlink }) {
  const words = useWords();
  const parts = usePartsWords();
  const say = useStatus();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const changeStatus = useMutation({
    mutationFn: (next: 'Active' | 'Paused') => api.smartlinks.setStatus(id, next),
    onSuccess: (_, next) => {
      say(next === 'Paused' ? words.paused : words.activated);
      void queryClient.invalidateQueries();
    },
  });
  const next = status === 'Active' ? 'Paused' : 'Active';
  const duplicate: MenuItem = {
    label: parts.duplicate,
    icon: 'duplicate',
    onSelect: () => void navigate({ href: copyPath(type, id) }),
  };
  const changes: readonly MenuItem[] = [
    {
      label: next === 'Paused' ? parts.pause : parts.activate,
      icon: next === 'Paused' ? 'pause' : 'play',
      onSelect: () => changeStatus.mutate(next),
    },
    {
      label: parts.remove,
      icon: 'trash',
      onSelect: () => setDeleting(true),
    },
  ];
  return (
    <>
      <Menu label={words.more} items={status === 'Deleted' ? [duplicate] : [duplicate, ...changes]} />
      <ErrorLine error={changeStatus.error} />
      {isDeleting ? (
        <ConfirmAction
          title={words.deleteHeading(configuration.smartlinkName)}
          description={words.deleteText}
          confirmLabel={words.deleteSubmit}
          cancelLabel={words.keep}
          action={() => api.smartlinks.remove(id)}
          onDone={() => {
            say(words.deleted);
            void queryClient.invalidateQueries();
            void navigate({ to: LINKS });
          }}
          onClose={() => setDeleting(false)}
        />
      ) : null}
    </>
  );
}
