import { api, checkSession, hasCode, queryClient, SESSION_KEY } from '../../../app/api.js';
import { Form, FormActions, Section } from '../../../app/page.js';
import { useSession } from '../../../app/session.js';
import { Button } from '../../../parts/button.js';
import { useConfirmed } from '../../../parts/dialogs/confirm-identity.js';
import { TextField, PasswordField } from '../../../parts/field.js';
import { useApiForm } from '../../../parts/form.js';
import { useStatus } from '../../../parts/status.js';
import { useWords } from './words.js';

const FIRST = { current: '', next: '' };

export function PasswordSection() {
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
