import { useNavigate } from '@tanstack/react-router';
import { copyPath, editPath, linkPath } from '../../../app/link-paths.js';
import { MenuAt, type MenuItem } from '../../../parts/menu.js';
import { useWords as usePartsWords } from '../../../parts/words.js';
import type { Link } from '../list.js';
import { useWords } from '../words.js';

export function RowMenu({
  link: { id, type, status, configuration },
  button,
  mayWrite,
  onClose,
  onChangeStatus,
  onDelete,
}: {
  readonly link: Link;
  readonly button: HTMLElement;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
  readonly onChangeStatus: (status: 'Active' | 'Paused') => void;
  readonly onDelete: () => void;
}) {
  const words = useWords();
  const parts = usePartsWords();
  const navigate = useNavigate();
  const figures: MenuItem = {
    label: words.figures,
    icon: 'chart',
    onSelect: () => void navigate({ to: linkPath(id) }),
  };
  const duplicate: MenuItem = {
    label: parts.duplicate,
    icon: 'duplicate',
    onSelect: () => void navigate({ href: copyPath(type, id) }),
  };
  const writing: readonly MenuItem[] = [
    { label: parts.edit, icon: 'edit', onSelect: () => void navigate({ to: editPath(id) }) },
    figures,
    duplicate,
    status === 'Active'
      ? {
          label: parts.pause,
          icon: 'pause',
          onSelect: () => onChangeStatus('Paused'),
        }
      : {
          label: parts.activate,
          icon: 'play',
          onSelect: () => onChangeStatus('Active'),
        },
    { label: parts.remove, icon: 'trash', onSelect: onDelete },
  ];
  // Deletion is final.
  const items = !mayWrite ? [figures] : status === 'Deleted' ? [figures, duplicate] : writing;
  return (
    <MenuAt
      anchor={button}
      label={parts.moreActions(configuration.smartlinkName)}
      items={items}
      onClose={onClose}
    />
  );
}
