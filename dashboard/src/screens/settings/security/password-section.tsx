import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api, hasCode, queryClient, SESSION_KEY } from '../../../app/api.js';
import { Form, FormActions, Section } from '../../../app/page.js';
import { useSession } from '../../../app/session.js';
import { Button } from '../../../parts/button.js';
import { useConfirmed } from '../../../parts/confirm-identity.js';
import { faultsByPath } from '../../../parts/fault-text.js';
import { TextField } from '../../../parts/field.js';
import { ErrorLine } from '../../../parts/notice.js';
import { PasswordField } from '../../../parts/password-field.js';
import { useStatus } from '../../../parts/status.js';
import { useWords as usePartsWords } from '../../../parts/words.js';
import { useWords } from './words.js';

export function PasswordSection() {
  const words = useWords();
  const partsWords = usePartsWords();
  const say = useStatus();
  const confirmed = useConfirmed();
  const { person } = useSession();
  const [failure, setFailure] = useState<unknown>(null);
  const { register, handleSubmit, reset, formState } = useForm({
    defaultValues: { current: '', next: '' },
  });

  const submit = handleSubmit(async ({ current, next }) => {
    setFailure(null);
    try {
      const answer = await confirmed(() =>
        api.session.changePassword(person.hasPassword ? current : undefined, next, { retries: 0 }),
      );
      queryClient.setQueryData(SESSION_KEY, answer.data);
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
      reset();
      say(words.changed);
    } catch (err) {
      setFailure(err);
      // The session may have ended instead: the shell then leads to sign-in.
      if (hasCode(err, 'UNAUTHORIZED')) void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
    }
  });

  const faults = faultsByPath(failure, partsWords);
  const isWrong = hasCode(failure, 'UNAUTHORIZED');
  return (
    <Section title={person.hasPassword ? words.password : words.setPassword}>
      <Form onSubmit={(event) => void submit(event)}>
        {person.hasPassword ? (
          <TextField
            label={words.current}
            type="password"
            autoComplete="current-password"
            error={isWrong ? words.wrong : faults.get('current')}
            {...register('current')}
          />
        ) : (
          <p>{words.noPassword}</p>
        )}
        <PasswordField
          label={words.next}
          description={words.rule}
          autoComplete="new-password"
          error={faults.get('next')}
          {...register('next')}
        />
        {isWrong || faults.size > 0 ? null : <ErrorLine error={failure} />}
        <FormActions>
          <Button type="submit" isBusy={formState.isSubmitting}>
            {person.hasPassword ? words.change : words.setPassword}
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}
