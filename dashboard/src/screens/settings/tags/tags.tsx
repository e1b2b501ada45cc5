import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import type { Tag } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { LINKS } from '../../../app/link-paths.js';
import { Page, Section } from '../../../app/page.js';
import { tagsQuery } from '../../../app/queries.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import { CheckboxField, SelectField, TextField } from '../../../parts/field.js';
import { inkOf } from '../../../parts/ink.js';
import type { Column } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { Collection, type DialogProps } from '../collection.js';
import { Folders } from './folders.js';
import styles from './tags.module.css';
import { useWords } from './words.js';

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
  const { number, shortDate } = useFormat();
  const tags = useQuery(tagsQuery);
  const columns: readonly Column<Tag>[] = [
    {
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
      header: words.links,
      kind: 'number',
      cell: ({ name, smartlinkCount }) => (
        <Link
          to={LINKS}
          search={{ tag: name, status: 'all' }}
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
      words={words.tags}
      query={tags}
      changes={['tags', 'links']}
      columns={columns}
      addLook="secondary"
      form={(dialog, tag) => <TagDialog {...dialog} tag={tag} />}
      removeText={({ smartlinkCount }) => words.tags.removeText(smartlinkCount)}
      remove={(id) => api.tags.remove(id)}
      merge={{
        label: words.merge,
        done: words.tags.merged,
        form: (dialog, tag) => <MergeDialog {...dialog} tag={tag} tags={tags.data ?? []} />,
      }}
    >
      {(list, add) => (
        <Section title={words.tags.heading} action={add}>
          {list}
        </Section>
      )}
    </Collection>
  );
}

/** A tag's colour; an outline without one. */
function Swatch({ color }: { readonly color: string | undefined }) {
  if (color === undefined) return <span className={styles.swatch} />;
  return <span className={styles.swatch} style={{ '--ink': inkOf(color) } as CSSProperties} data-colored />;
}

const FIRST_COLOR = '#2f6f4f';

/** Adds a tag, or changes one. */
function TagDialog({ tag, ...dialog }: DialogProps & { readonly tag: Tag | undefined }) {
  const words = useWords();
  const present = tag?.color ?? FIRST_COLOR;
  // A color input needs six digits.
  const shown = present.slice(0, 7).padEnd(7, '0');
  return (
    <FormDialog
      title={tag === undefined ? words.tags.add : words.tags.edit(tag.name)}
      submitLabel={words.save}
      values={{ name: tag?.name ?? '', hasColor: tag?.color !== undefined, color: shown }}
      action={({ name, hasColor, color: given }) => {
        const color = given === shown ? present : given;
        return tag === undefined
          ? api.tags.create({ name, ...(hasColor ? { color } : {}) })
          : api.tags.update(tag.id, { name, color: hasColor ? color : null });
      }}
      {...dialog}
    >
      {({ field, register, watch }) => (
        <>
          <TextField label={words.name} autoComplete="off" {...field('name')} />
          <CheckboxField label={words.hasColor} {...register('hasColor')} />
          {watch('hasColor') ? <TextField type="color" label={words.color} {...field('color')} /> : null}
        </>
      )}
    </FormDialog>
  );
}

/** Moves a tag's links to another tag. */
function MergeDialog({
  tag,
  tags,
  ...dialog
}: DialogProps & { readonly tag: Tag; readonly tags: readonly Tag[] }) {
  const words = useWords();
  const others = tags.filter(({ id }) => id !== tag.id);
  return (
    <FormDialog
      title={words.tags.merge(tag.name)}
      description={words.tags.mergeText(tag.smartlinkCount)}
      submitLabel={words.tags.mergeSubmit}
      values={{ intoId: others[0]?.id ?? '' }}
      action={({ intoId }) => api.tags.merge(tag.id, intoId)}
      {...dialog}
    >
      {({ field }) => (
        <SelectField
          label={words.tags.into}
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
          {...field('intoId')}
        />
      )}
    </FormDialog>
  );
}
