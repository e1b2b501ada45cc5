import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { OneTimeLink } from '@smartlink/client';
import { api, hasCode, startSession } from '../../app/api.js';
import { Entrance } from '../../app/frame/entrance.js';
import { HOME } from '../../app/link-paths.js';
import { Form } from '../../app/page.js';
import { useWords as useAppWords } from '../../app/words.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { TextField, PasswordField } from '../../parts/field.js';
import { useApiForm } from '../../parts/form.js';
import { Skeleton } from '../../parts/loaded.js';
import { ErrorNotice } from '../../parts/notice.js';
import { isolate } from '../../words/format.js';
import { useWords } from './words.js';

/** Redeems the one-time link whose token is in the URL fragment. */
export function Welcome() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState('');

  useEffect(() => {
    if (hash === '') return;
    setToken(hash);
    // Removes the token from the address and the history.
    void navigate({ to: '/welcome', hash: '', replace: true });
  }, [hash, navigate]);

  if (token !== '') return <OpenLink key={token} token={token} />;
  return hash === '' ? <Gone /> : null;
}

type State =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly link: OneTimeLink }
  | { readonly kind: 'failed'; readonly error: unknown };

function OpenLink({ token }: { readonly token: string }) {
  const words = useWords();
  const navigate = useNavigate();
  const [state, setState] = useState<State>({ kind: 'opening' });
  const [tries, setTries] = useState(0);
  // React runs effects twice in development, but the link works once.
  const openedTry = useRef(-1);

  useEffect(() => {
    if (openedTry.current === tries) return;
    openedTry.current = tries;
    async function open(): Promise<State> {
      try {
        const { data: link } = await api.session.checkLink(token);
        if (link.purpose !== 'sign-in') return { kind: 'open', link };
        startSession((await api.session.redeemLink(token, undefined)).data);
        await navigate({ href: HOME, replace: true });
        return { kind: 'opening' };
      } catch (error) {
        return { kind: 'failed', error };
      }
    }
    void open().then(setState);
  }, [token, tries, navigate]);

  if (state.kind === 'open') return <RedeemForm token={token} link={state.link} />;
  if (state.kind === 'opening') {
    return (
      <Entrance title={words.opening}>
        <Skeleton />
      </Entrance>
    );
  }
  if (hasCode(state.error, 'GONE') || hasCode(state.error, 'VALIDATION_FAILED')) return <Gone />;
  return (
    <Entrance title={words.opening}>
      <ErrorNotice
        error={state.error}
        onRetry={() => {
          setState({ kind: 'opening' });
          setTries(tries + 1);
        }}
      />
    </Entrance>
  );
}

function Gone() {
  const words = useWords().gone;
  return (
    <Entrance title={words.heading}>
      <p>{words.text}</p>
      <ButtonLink to="/dashboard/sign-in">{words.signIn}</ButtonLink>
    </Entrance>
  );
}

const FIRST = { password: '' };

function RedeemForm({ token, link }: { readonly token: string; readonly link: OneTimeLink }) {
  const words = useWords();
  const navigate = useNavigate();
  const { roles } = useAppWords();
  const purpose = link.purpose === 'sign-in' ? 'setup' : link.purpose;
  const { invitation } = link;
  const texts = words[purpose];
  const { field, error, isBusy, submit, failure } = useApiForm({
    values: FIRST,
    action: ({ password }) =>
      api.session.redeemLink(token, link.needsPassword ? password : undefined, { retries: 0 }),
    onDone: ({ data }) => {
      startSession(data);
      return navigate({ href: HOME, replace: true });
    },
  });

  if (hasCode(error, 'GONE')) return <Gone />;
  const isWrong = hasCode(error, 'UNAUTHORIZED');
  return (
    <Entrance title={texts.heading}>
      {invitation === null ? null : (
        <p>
          {words.invite.to({
            ...invitation,
            account: isolate(invitation.account),
            role: roles[invitation.role],
          })}
        </p>
      )}
      <p>{link.needsPassword || purpose !== 'invite' ? texts.text : words.invite.signedIn}</p>
      <Form onSubmit={submit}>
        {isWrong ? null : failure()}
        <TextField label={words.email} value={link.email} autoComplete="username" readOnly />
        {link.needsPassword ? (
          <PasswordField
            label={purpose === 'invite' ? words.invite.password : words.newPassword}
            description={purpose === 'invite' ? undefined : words.rule}
            autoComplete={purpose === 'invite' ? 'current-password' : 'new-password'}
            autoFocus
            {...field('password')}
            {...(isWrong ? { error: words.wrong } : {})}
          />
        ) : null}
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.submit}
        </Button>
      </Form>
    </Entrance>
  );
}
