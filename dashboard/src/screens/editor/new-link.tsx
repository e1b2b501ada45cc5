import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { Smartlink, SmartlinkCreate } from '@smartlink/client';
import { api, queryClient } from '../../app/api.js';
import { OWN_HOST } from '../../app/hosts.js';
import { linkPath } from '../../app/link-paths.js';
import { Page } from '../../app/page.js';
import { Loaded } from '../../parts/loaded.js';
import { useStatus } from '../../parts/status.js';
import { Editor } from './editor.js';
import { EMPTY, toValues, type Values } from './form/values.js';
import { useWords } from './words.js';

export function NewLink() {
  const words = useWords();
  const { from } = useSearch({ from: '/shell/dashboard/links/new' });
  return (
    <Page title={words.newHeading}>
      {from === undefined ? <NewForm initial={EMPTY} /> : <Duplicate id={from} />}
    </Page>
  );
}

function Duplicate({ id }: { readonly id: string }) {
  const words = useWords();
  const source = useQuery({
    queryKey: ['editor', 'source', id],
    queryFn: async ({ signal }) => (await api.smartlinks.get(id, { signal })).data,
    staleTime: Infinity,
  });
  return (
    <Loaded query={source} lines={6}>
      {(link) => <NewForm key={id} initial={copyOf(link, words.copyOf)} sourceType={link.type} />}
    </Loaded>
  );
}

// Code points, as in the API.
const NAME_LENGTH_MAX = 64;

/** A copy without the address and the password, which the API does not return. */
function copyOf(link: Smartlink, nameOf: (name: string) => string): Values {
  const values = toValues(link);
  const { configuration, shortener } = values;
  const smartlinkName = Array.from(nameOf(configuration.smartlinkName)).slice(0, NAME_LENGTH_MAX).join('');
  return {
    ...values,
    configuration: {
      ...configuration,
      smartlinkName,
      smartlinkUrl: '',
      domain: link.configuration.domain ?? OWN_HOST,
    },
    shortener: { ...shortener, password: '' },
  };
}

function NewForm({
  initial,
  sourceType = 'Url',
}: {
  readonly initial: Values;
  readonly sourceType?: Smartlink['type'];
}) {
  const words = useWords();
  const say = useStatus();
  const navigate = useNavigate();
  const { history } = useRouter();
  const { type = sourceType, from } = useSearch({ from: '/shell/dashboard/links/new' });
  return (
    <Editor
      type={type}
      initial={initial}
      submitLabel={words.create}
      onType={(chosen) => {
        void navigate({
          to: '/dashboard/links/new',
          search: { type: chosen, from },
          replace: true,
          resetScroll: false,
        });
      }}
      onSave={async (body) => {
        // The body has the type's members; the service has just validated them.
        const { data } = await api.smartlinks.create(body as unknown as SmartlinkCreate);
        return () => {
          say(words.created);
          void queryClient.invalidateQueries();
          history.push(linkPath(data.id));
        };
      }}
    />
  );
}
