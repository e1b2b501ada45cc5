import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { CallOptions, Page as PageOf, PageQuery } from '@smartlink/client';
import { Form, Page } from '../../app/page.js';
import { Button } from '../../parts/button.js';
import { LinkDialog } from '../../parts/dialogs/secret-dialog.js';
import { TextField } from '../../parts/field.js';
import { List, pagesQuery } from '../../parts/list.js';
import { EmptyNotice } from '../../parts/notice.js';
import { useSearchText } from '../../parts/typing.js';
import { useWords } from './words.js';

/** An operator's list, searchable by `q` in the address. */
export function AdminList<Row>({
  name,
  texts,
  add,
  none,
  readPage,
  children,
  ...table
}: Pick<ComponentProps<typeof List<Row>>, 'columns' | 'rowKey' | 'actions'> & {
  /** Query key. */
  readonly name: string;
  readonly texts: { readonly heading: string; readonly intro: string; readonly search: string };
  /** The button that adds a row. */
  readonly add: ReactNode;
  /** Heading when there are no rows at all. */
  readonly none?: string;
  readonly readPage: (
    query: PageQuery & { readonly q?: string },
    options: CallOptions,
  ) => Promise<PageOf<Row>>;
  readonly children: ReactNode;
}) {
  const words = useWords();
  const { q } = useSearch({ strict: false });
  const navigate = useNavigate();
  const list = useInfiniteQuery({
    ...pagesQuery(['admin', name, q], (page, signal) =>
      readPage({ ...page, ...(q === undefined ? {} : { q }) }, { signal }),
    ),
    placeholderData: keepPreviousData,
  });
  const search = (text: string) =>
    void navigate({ to: '.', search: text === '' ? {} : { q: text }, replace: true });
  const field = useSearchText(q ?? '', search);
  const empty =
    q === undefined && none !== undefined ? (
      <EmptyNotice heading={none} action={add} />
    ) : (
      <EmptyNotice
        heading={words.nothingFound}
        action={<Button onClick={() => search('')}>{words.clearSearch}</Button>}
      />
    );
  return (
    <Page title={texts.heading} intro={texts.intro} action={add}>
      <Form role="search" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label={texts.search}
          type="search"
          maxLength={128}
          spellCheck={false}
          autoComplete="off"
          {...field}
        />
      </Form>
      <List query={list} empty={empty} label={texts.heading} {...table} />
      {children}
    </Page>
  );
}

/** The one-time link of a person. */
export function PersonLink({
  email,
  ...dialog
}: Pick<ComponentProps<typeof LinkDialog>, 'link' | 'onClose'> & { readonly email: string }) {
  const words = useWords();
  return (
    <LinkDialog
      title={words.linkHeading(email)}
      text={words.linkText(email)}
      label={words.link}
      {...dialog}
    />
  );
}
