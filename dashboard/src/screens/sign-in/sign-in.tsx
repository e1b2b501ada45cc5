import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { api, apiError, startSession } from '../../app/api.js';
import { Entrance } from '../../app/frame/entrance.js';
import { HOME } from '../../app/link-paths.js';
import { Form } from '../../app/page.js';
import { nextParam } from '../../app/search-params.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { useApiForm } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { ErrorLine, ErrorText } from '../../parts/notice.js';
import { useWords } from './words.js';

const SETUP_COMMAND = 'npm run admin -- people create --email you@example.com --operator';

export function SignIn() {
  const words = useWords();
  const setup = useQuery({
    queryKey: ['setup'],
    queryFn: async () => (await api.session.setup()).data,
  });
  const isNeeded = setup.data?.needed === true;
  return (
    <Entrance title={isNeeded ? words.setup.heading : words.heading}>
      <Loaded query={setup}>
        {({ needed }) => (needed ? <SetupNotice onCheck={() => void setup.refetch()} /> : <SignInForm />)}
      </Loaded>
    </Entrance>
  );
}

function SetupNotice({ onCheck }: { readonly onCheck: () => void }) {
  const words = useWords().setup;
  return (
    <>
      <p>{words.text}</p>
      <p>
        <code>{SETUP_COMMAND}</code>
      </p>
      <p>{words.then}</p>
      <Button onClick={onCheck}>{words.again}</Button>
    </>
  );
}

const FIRST = { email: '', password: '' };

function SignInForm() {
  const words = useWords();
  const navigate = useNavigate();
  const { next } = getRouteApi('/dashboard/sign-in').useSearch();
  const { register, error, isBusy, submit } = useApiForm({
    values: FIRST,
    action: ({ email, password }) => api.session.signIn(email.trim(), password, { retries: 0 }),
    onDone: ({ data }) => {
      startSession(data);
      return navigate({ href: nextParam(next) ?? HOME, replace: true });
    },
  });
  return (
    <Form onSubmit={submit}>
      <SignInFailure failure={error} />
      <TextField
        label={words.email}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        {...register('email')}
      />
      <TextField
        label={words.password}
        type="password"
        autoComplete="current-password"
        {...register('password')}
      />
      <Button type="submit" look="primary" isBusy={isBusy}>
        {words.submit}
      </Button>
      <p>{words.forgotten}</p>
    </Form>
  );
}

function SignInFailure({ failure }: { readonly failure: unknown }) {
  const words = useWords();
  const answer = apiError(failure);
  // Empty fields fail validation, and are wrong too.
  if (answer?.code === 'UNAUTHORIZED' || answer?.code === 'VALIDATION_FAILED') {
    return <ErrorText>{words.wrong}</ErrorText>;
  }
  if (answer?.code === 'RATE_LIMITED') {
    return <ErrorText>{words.tooMany(Math.ceil((answer.retryAfterMs ?? 60_000) / 1_000))}</ErrorText>;
  }
  return <ErrorLine error={failure} />;
}
