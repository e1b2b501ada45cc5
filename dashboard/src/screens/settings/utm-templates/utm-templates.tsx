import { useQuery } from '@tanstack/react-query';
import type { UtmTemplate } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { Page } from '../../../app/page.js';
import { utmTemplatesQuery } from '../../../app/queries.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import { TextField } from '../../../parts/field.js';
import { ErrorText } from '../../../parts/notice.js';
import type { Column } from '../../../parts/table.js';
import { useFormat } from '../../../words/format.js';
import { Collection, type DialogProps } from '../collection.js';
import styles from './utm-templates.module.css';
import { useWords } from './words.js';

const FIELDS = ['source', 'medium', 'campaign', 'term', 'content', 'ref'] as const;

export function UtmTemplates() {
  const words = useWords();
  const { shortDate } = useFormat();
  const templates = useQuery(utmTemplatesQuery);
  const columns: readonly Column<UtmTemplate>[] = [
    { header: words.name, kind: 'main', cell: ({ name }) => <span dir="auto">{name}</span> },
    {
      header: words.parameters,
      cell: ({ utm }) => (
        <span className={styles.parameters}>
          {FIELDS.filter((field) => utm[field] !== undefined).map((field) => (
            <code key={field}>
              {field === 'ref' ? 'ref' : `utm_${field}`}={utm[field]}
            </code>
          ))}
        </span>
      ),
    },
    { header: words.created, cell: ({ createdAt }) => shortDate(createdAt) },
  ];
  return (
    <Collection
      words={words}
      query={templates}
      changes={['utmTemplates']}
      columns={columns}
      form={(dialog, template) => <TemplateDialog {...dialog} template={template} />}
      removeText={() => words.removeText}
      remove={(id) => api.utmTemplates.remove(id)}
    >
      {(list, add) => (
        <Page title={words.heading} intro={words.intro} action={add}>
          {list}
        </Page>
      )}
    </Collection>
  );
}

/** Adds or changes a template. Empty parameters are removed. */
function TemplateDialog({
  template,
  ...dialog
}: DialogProps & { readonly template: UtmTemplate | undefined }) {
  const words = useWords();
  const present = FIELDS.map((field) => [field, template?.utm[field] ?? ''] as const);
  return (
    <FormDialog
      title={template === undefined ? words.add : words.editOf(template.name)}
      submitLabel={words.save}
      values={{ name: template?.name ?? '', utm: Object.fromEntries(present) }}
      action={({ name, utm: texts }) => {
        const utm = Object.fromEntries(
          Object.entries(texts).map(([field, text]) => [field, text.trim() === '' ? null : text.trim()]),
        );
        return template === undefined
          ? api.utmTemplates.create({ name, utm })
          : api.utmTemplates.update(template.id, { name, utm });
      }}
      {...dialog}
    >
      {({ field, fault }) => (
        <>
          <TextField label={words.name} autoComplete="off" {...field('name')} />
          {FIELDS.map((name) => (
            <TextField
              key={name}
              label={words.fields[name]}
              description={words.hints[name]}
              autoComplete="off"
              {...field(`utm.${name}`)}
            />
          ))}
          {fault('utm') === undefined ? null : <ErrorText>{words.oneNeeded}</ErrorText>}
        </>
      )}
    </FormDialog>
  );
}
