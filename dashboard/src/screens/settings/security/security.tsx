import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { SessionDevice } from '@smartlink/client';
import { api, checkSession, hasCode, queryClient, SESSION_KEY } from '../../../app/api.js';
import { Page, Form, FormActions, Section } from '../../../app/page.js';
import { useSession } from '../../../app/session.js';
import { Badge } from '../../../parts/badge.js';
import { Button } from '../../../parts/button.js';
import { useConfirmed } from '../../../parts/dialogs/confirm-identity.js';
import { TextField, PasswordField } from '../../../parts/field.js';
import { useApiForm } from '../../../parts/form.js';
import { Loaded } from '../../../parts/loaded.js';
import { ErrorLine } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { useFormat } from '../../../words/format.js';
import styles from './security.module.css';
import { useWords } from './words.js';

export function Security() {
  const words = useWords();
  return (
    <Page title={words.heading}>
      <PasswordSection />
      <SessionsSection />
    </Page>
  );
}

const FIRST = { current: '', next: '' };

function PasswordSection() {
  const words = useWords();
  const say = useStatus();
  const confirmed = useConfirmed();
  const { person } = useSession();
  const { field, error, isBusy, reset, submit, failure } = useApiForm({
    values: FIRST,
    action: ({ current, next }) =>
      confirmed(() =>
        api.session.changePassword(person.hasPassword ? current : undefined, next, { retries: 0 }),
      ).catch(checkSession),
    onDone: async ({ data }) => {
      queryClient.setQueryData(SESSION_KEY, data);
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
      reset();
      say(words.changed);
    },
  });
  const isWrong = hasCode(error, 'UNAUTHORIZED');
  return (
    <Section title={person.hasPassword ? words.password : words.setPassword}>
      <Form onSubmit={submit}>
        {person.hasPassword ? (
          <TextField
            label={words.current}
            type="password"
            autoComplete="current-password"
            {...field('current')}
            {...(isWrong ? { error: words.wrong } : {})}
          />
        ) : (
          <p>{words.noPassword}</p>
        )}
        <PasswordField
          label={words.next}
          description={words.rule}
          autoComplete="new-password"
          {...field('next')}
        />
        {isWrong ? null : failure()}
        <FormActions>
          <Button type="submit" isBusy={isBusy}>
            {person.hasPassword ? words.change : words.setPassword}
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}

const QUERY = {
  queryKey: ['sessions'],
  queryFn: async () => (await api.session.list()).data,
} as const;

function SessionsSection() {
  const words = useWords();
  const say = useStatus();
  const sessions = useQuery(QUERY);
  const end = useMutation({
    mutationFn: (id: string | null) => (id === null ? api.session.endOthers() : api.session.end(id)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: QUERY.queryKey });
      say(words.signedOut);
    },
  });
  const hasOthers = sessions.data?.some(({ isCurrent }) => !isCurrent) === true;
  return (
    <Section
      title={words.sessions}
      action={
        hasOthers ? (
          <Button isBusy={end.isPending} onClick={() => end.mutate(null)}>
            {words.signOutOthers}
          </Button>
        ) : null
      }
    >
      <ErrorLine error={end.error} />
      <Loaded query={sessions}>
        {(list) => (
          <ul className={styles.list} aria-label={words.sessions}>
            {list.map((session) => (
              <SessionItem key={session.id} session={session} onEnd={end.mutate} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function SessionItem({
  session: { id, device, country, createdAt, lastSeenAt, isCurrent },
  onEnd,
}: {
  readonly session: SessionDevice;
  readonly onEnd: (id: string) => void;
}) {
  const words = useWords();
  const format = useFormat();
  const whenId = useId();
  return (
    <li className={styles.item}>
      <div>
        <p className={styles.device}>
          {device}
          {isCurrent ? <Badge>{words.thisBrowser}</Badge> : null}
        </p>
        <p id={whenId} className={styles.when}>
          {words.lastSeen(format.ago(lastSeenAt))}, {words.since(format.dateTime(createdAt))}
          {country === undefined ? '' : `, ${country}`}
        </p>
      </div>
      {isCurrent ? null : (
        <Button
          look="quiet"
          // Distinguishes sessions with the same browser.
          aria-describedby={whenId}
          onClick={() => onEnd(id)}
        >
          {words.signOut(device)}
        </Button>
      )}
    </li>
  );
}
