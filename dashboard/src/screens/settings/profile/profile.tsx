import { useMutation } from '@tanstack/react-query';
import { api, queryClient, SESSION_KEY } from '../../../app/api.js';
import { LanguageField } from '../../../app/frame/language-field.js';
import { Form, Page, Section } from '../../../app/page.js';
import { THEMES, usePreferences, WEEK_STARTS } from '../../../app/preferences.js';
import { useSession } from '../../../app/session.js';
import { CheckboxField, RadioGroup, SelectField, TextField } from '../../../parts/field.js';
import { ErrorLine } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { useWords } from './words.js';

const OWN = '';

export function Profile() {
  const words = useWords();
  const { person } = useSession();
  return (
    <Page title={words.heading} intro={words.here}>
      <Form>
        <TextField label={words.email} value={person.email} readOnly />
      </Form>
      <Section title={words.look}>
        <Look />
      </Section>
      <Section title={words.times}>
        <Times />
      </Section>
      <Section title={words.keyboard}>
        <Keyboard />
      </Section>
    </Page>
  );
}

function Look() {
  const words = useWords();
  const say = useStatus();
  const { theme, change } = usePreferences();
  const language = useMutation({
    mutationFn: async (code: string) => (await api.session.setLanguage(code)).data,
    onSuccess: (session) => {
      queryClient.setQueryData(SESSION_KEY, session);
      say(words.saved);
    },
  });
  return (
    <Form>
      <LanguageField onChange={language.mutate} />
      <ErrorLine error={language.error} />
      <RadioGroup
        label={words.theme}
        options={THEMES.map((value) => ({ value, label: words.themes[value] }))}
        value={theme}
        onChange={(value) => {
          change({ theme: value });
          say(words.saved);
        }}
      />
    </Form>
  );
}

function Times() {
  const words = useWords();
  const say = useStatus();
  const { timeZone, browserTimeZone, hasTimeZone, weekStart, change } = usePreferences();
  const zones = Intl.supportedValuesOf('timeZone').map((name) => ({ value: name, label: name }));
  return (
    <Form>
      <SelectField
        label={words.timeZone}
        options={[{ value: OWN, label: words.ownTimeZone(browserTimeZone) }, ...zones]}
        value={hasTimeZone ? timeZone : OWN}
        onChange={({ target: { value } }) => {
          change({ timeZone: value === OWN ? undefined : value });
          say(words.saved);
        }}
      />
      <SelectField
        label={words.weekStart}
        options={WEEK_STARTS.map((day) => ({ value: String(day), label: words.days[day] ?? '' }))}
        value={String(weekStart)}
        onChange={({ target: { value } }) => {
          change({ weekStart: WEEK_STARTS.find((day) => String(day) === value) ?? 1 });
          say(words.saved);
        }}
      />
    </Form>
  );
}

function Keyboard() {
  const words = useWords();
  const say = useStatus();
  const { hasShortcuts, change } = usePreferences();
  return (
    <Form>
      <p>{words.shortcutsHint}</p>
      <CheckboxField
        label={words.hasShortcuts}
        checked={hasShortcuts}
        onChange={({ target: { checked } }) => {
          change({ hasShortcuts: checked });
          say(words.saved);
        }}
      />
    </Form>
  );
}
