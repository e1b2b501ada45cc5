import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { SessionDevice } from '@smartlink/client';
import { api, queryClient } from '../../../app/api.js';
import { Section } from '../../../app/page.js';
import { Badge } from '../../../parts/badge.js';
import { Button } from '../../../parts/button.js';
import { Loaded } from '../../../parts/loaded.js';
import { ErrorLine } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { useFormat } from '../../../words/format.js';
import styles from './security.module.css';
import { useWords } from './words.js';

const QUERY = {
  queryKey: ['sessions'],
  queryFn: async () => (await api.session.list()).data,
} as const;

export function SessionsSection() {
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
