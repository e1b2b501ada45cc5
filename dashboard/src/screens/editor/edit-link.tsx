import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Smartlink, VersionedAnswer } from '@smartlink/client';
import { api, hasCode, queryClient } from '../../app/api.js';
import { Page } from '../../app/page.js';
import { ButtonLink } from '../../parts/button.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice } from '../../parts/notice.js';
import { useStatus } from '../../parts/status.js';
import { ConflictDialog } from './conflict-dialog.js';
import { Editor, type EditorHandle } from './editor.js';
import { toValues } from './form/values.js';
import { useWords } from './words.js';

type Version = Pick<VersionedAnswer<Smartlink>, 'data' | 'etag'>;

const read = async (id: string): Promise<Version> => api.smartlinks.get(id);

export function EditLink() {
  const words = useWords();
  const { id } = useParams({ from: '/shell/dashboard/links/$id/edit' });
  const link = useQuery({
    queryKey: ['editor', 'link', id],
    queryFn: () => read(id),
    // Not refetched while being edited.
    staleTime: Infinity,
    gcTime: 0,
  });
  const name = link.data?.data.configuration.smartlinkName;
  return (
    <Page title={name === undefined ? words.editLink : words.editHeading(name)}>
      <Loaded query={link} lines={8}>
        {(version) =>
          version.data.status === 'Deleted' ? <Deleted /> : <EditForm key={id} first={version} />
        }
      </Loaded>
    </Page>
  );
}

function Deleted() {
  const words = useWords();
  return (
    <EmptyNotice
      heading={words.deleted}
      action={<ButtonLink to="/dashboard/links/new">{words.newHeading}</ButtonLink>}
    >
      {words.deletedText}
    </EmptyNotice>
  );
}

type Body = Readonly<Record<string, unknown>>;

function EditForm({ first }: { readonly first: Version }) {
  const words = useWords();
  const say = useStatus();
  const { id, type } = first.data;
  const editor = useRef<EditorHandle>(null);
  const etag = useRef(first.etag);
  const [refused, setRefused] = useState<Body | null>(null);

  function show(version: Version): void {
    etag.current = version.etag;
    queryClient.setQueryData(['editor', 'link', id], version);
    editor.current?.reset(toValues(version.data));
  }

  async function write(body: Body): Promise<() => void> {
    // The body has the type's members; the service has just validated them.
    const version = await api.smartlinks.update(id, body, {
      ifMatch: etag.current ?? undefined,
    });
    return () => {
      show(version);
      say(words.saved);
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'editor' });
    };
  }

  async function save(body: Body): Promise<(() => void) | null> {
    try {
      return await write(body);
    } catch (err) {
      if (!hasCode(err, 'PRECONDITION_FAILED')) throw err;
      setRefused(body);
      return null;
    }
  }

  return (
    <>
      <Editor
        ref={editor}
        type={type}
        link={first.data}
        initial={toValues(first.data)}
        submitLabel={words.save}
        onSave={save}
      />
      {refused === null ? null : (
        <ConflictDialog
          onClose={() => setRefused(null)}
          onLoadTheirs={async () => show(await read(id))}
          onKeepMine={async () => {
            etag.current = (await read(id)).etag;
            (await save(refused))?.();
          }}
        />
      )}
    </>
  );
}
