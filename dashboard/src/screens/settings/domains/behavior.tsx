import type { Domain } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { Form, FormActions, Section } from '../../../app/page.js';
import { useHasRole } from '../../../app/session.js';
import { Button } from '../../../parts/button.js';
import { TextArea, TextField } from '../../../parts/field.js';
import { useApiForm } from '../../../parts/form.js';
import { useStatus } from '../../../parts/status.js';
import styles from './domains.module.css';
import { refreshDomains } from './state.js';
import { useWords } from './words.js';

const DESTINATIONS = ['rootUrl', 'notFoundUrl', 'expiredUrl'] as const;
const FILES = ['appleAppSiteAssociation', 'assetLinks'] as const;

/** What visitors of the domain get besides its smartlinks. */
export function Behavior({ domain }: { readonly domain: Domain }) {
  const words = useWords();
  const isOwner = useHasRole('Owner');
  return (
    <>
      <Section title={words.destinations}>
        {isOwner ? (
          <Destinations domain={domain} />
        ) : (
          <Shown values={DESTINATIONS.map((name) => [words[name], domain[name]])} />
        )}
      </Section>
      <Section title={words.files}>
        <p className={styles.text}>{words.filesText}</p>
        {isOwner ? (
          <Files domain={domain} />
        ) : (
          <Shown values={FILES.map((name) => [words[name], textOf(domain[name])])} />
        )}
      </Section>
    </>
  );
}

/** Values for those who may only look. */
function Shown({
  values,
}: {
  readonly values: readonly (readonly [label: string, value: string | undefined])[];
}) {
  const words = useWords();
  return (
    <dl className={styles.shown}>
      {values.map(([label, value = '']) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === '' ? words.notSet : value}</dd>
        </div>
      ))}
    </dl>
  );
}

function useSaved() {
  const words = useWords();
  const say = useStatus();
  return async () => {
    await refreshDomains();
    say(words.saved);
  };
}

function Destinations({
  domain: { id, rootUrl = '', notFoundUrl = '', expiredUrl = '' },
}: {
  readonly domain: Domain;
}) {
  const words = useWords();
  const { field, submit, failure, isBusy } = useApiForm({
    values: { rootUrl, notFoundUrl, expiredUrl },
    action: (values) =>
      api.domains.update(
        id,
        Object.fromEntries(
          DESTINATIONS.map((name) => [name, values[name].trim() === '' ? null : values[name].trim()]),
        ),
      ),
    onDone: useSaved(),
  });
  return (
    <Form onSubmit={submit}>
      {DESTINATIONS.map((name) => (
        <TextField
          key={name}
          label={words[name]}
          description={words.hints[name]}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          {...field(name)}
        />
      ))}
      {failure()}
      <FormActions>
        <Button type="submit" isBusy={isBusy}>
          {words.saveDestinations}
        </Button>
      </FormActions>
    </Form>
  );
}

const textOf = (file: unknown): string => (file === undefined ? '' : JSON.stringify(file, null, 2));

/** The value of a JSON text; undefined if it is not JSON. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function Files({ domain: { id, appleAppSiteAssociation, assetLinks } }: { readonly domain: Domain }) {
  const words = useWords();
  const { field, submit, failure, isBusy, watch } = useApiForm({
    values: { appleAppSiteAssociation: textOf(appleAppSiteAssociation), assetLinks: textOf(assetLinks) },
    action: (values) => {
      // What is not JSON is sent as text, which the API refuses at its path.
      const changes = FILES.map((name) => {
        const text = values[name].trim();
        return [name, text === '' ? null : (valueOf(text) ?? text)] as const;
      });
      return api.domains.update(id, Object.fromEntries(changes));
    },
    onDone: useSaved(),
  });
  return (
    <Form onSubmit={submit}>
      {FILES.map((name) => {
        const { error, ...control } = field(name);
        const isJson = valueOf(watch(name)) !== undefined;
        return (
          <TextArea
            key={name}
            label={words[name]}
            description={words.hints[name]}
            rows={6}
            spellCheck={false}
            className={styles.json ?? ''}
            error={error === undefined || isJson ? error : words.notJson}
            {...control}
          />
        );
      })}
      {failure()}
      <FormActions>
        <Button type="submit" isBusy={isBusy}>
          {words.saveFiles}
        </Button>
      </FormActions>
    </Form>
  );
}
