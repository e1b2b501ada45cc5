import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Folder } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { LINKS } from '../../../app/link-paths.js';
import { Section } from '../../../app/page.js';
import { foldersQuery } from '../../../app/queries.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import { TextField } from '../../../parts/field.js';
import type { Column } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { Collection, type DialogProps } from '../collection.js';
import { useWords } from './words.js';

export function Folders() {
  const words = useWords();
  const { number, shortDate } = useFormat();
  const folders = useQuery(foldersQuery);
  const columns: readonly Column<Folder>[] = [
    { header: words.name, kind: 'main', cell: ({ name }) => <span dir="auto">{name}</span> },
    { header: words.description, cell: ({ description }) => <span dir="auto">{description}</span> },
    {
      header: words.links,
      kind: 'number',
      cell: ({ id, name, smartlinkCount }) => (
        <Link
          to={LINKS}
          search={{ folder: id, status: 'all' }}
          aria-label={words.showLinks(smartlinkCount, name)}
        >
          {number(smartlinkCount)}
        </Link>
      ),
    },
    { header: words.created, cell: ({ createdAt }) => shortDate(createdAt) },
  ];
  return (
    <Collection
      words={words.folders}
      query={folders}
      changes={['folders', 'links']}
      columns={columns}
      addLook="secondary"
      form={(dialog, folder) => <FolderDialog {...dialog} folder={folder} />}
      removeText={({ smartlinkCount }) => words.folders.removeText(smartlinkCount)}
      remove={(id) => api.folders.remove(id)}
    >
      {(list, add) => (
        <Section title={words.folders.heading} action={add}>
          {list}
        </Section>
      )}
    </Collection>
  );
}

function FolderDialog({ folder, ...dialog }: DialogProps & { readonly folder: Folder | undefined }) {
  const words = useWords();
  return (
    <FormDialog
      title={folder === undefined ? words.folders.add : words.folders.edit(folder.name)}
      submitLabel={words.save}
      values={{ name: folder?.name ?? '', description: folder?.description ?? '' }}
      action={({ name, description }) =>
        folder === undefined
          ? api.folders.create({ name, ...(description === '' ? {} : { description }) })
          : api.folders.update(folder.id, { name, description: description === '' ? null : description })
      }
      {...dialog}
    >
      {({ field }) => (
        <>
          <TextField label={words.name} autoComplete="off" {...field('name')} />
          <TextField label={words.description} autoComplete="off" {...field('description')} />
        </>
      )}
    </FormDialog>
  );
}
