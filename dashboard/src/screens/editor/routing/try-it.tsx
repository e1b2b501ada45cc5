import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useFormState } from 'react-hook-form';
import type { ResolvedVisit, Smartlink } from '@smartlink/client';
import { api } from '../../../app/api.js';
import { usePreferences } from '../../../app/preferences.js';
import { Button } from '../../../parts/button.js';
import { optionsOf, SelectField, TextField } from '../../../parts/field.js';
import { ErrorLine } from '../../../parts/notice.js';
import { useFormat } from '../../../words/format.js';
import { AGENTS, type Device, DEVICES } from '../../link/agents.js';
import { useWords as useLinkWords } from '../../link/words.js';
import { useEditor } from '../editor-context.js';
import styles from '../editor.module.css';
import { CONDITIONS } from '../form/routing-values.js';
import { useChoices } from './choices.js';
import { fromLocalTime } from './local-time.js';
import { useZoneHint } from './time-field.js';
import { useWords } from './words.js';

const FIRST = {
  country: 'XX',
  language: '',
  device: 'iphone',
  source: 'click',
  referrer: '',
  query: '',
  at: '',
};

/** Asks the service which rule of the saved link fits a visitor. Nothing is counted. */
export function TryIt() {
  const words = useWords();
  const { link } = useEditor();
  const { isDirty } = useFormState();
  const id = useId();
  return (
    <div className={styles.group} role="group" aria-labelledby={id}>
      <h3 id={id}>{words.tryIt}</h3>
      <p className={styles.hint}>{link === undefined ? words.tryAfterSaving : words.tryHint}</p>
      {link === undefined || !isDirty ? null : <p>{words.tryNotSaved}</p>}
      {link === undefined ? null : <Visitor link={link} />}
    </div>
  );
}

function Visitor({ link }: { readonly link: Smartlink }) {
  const words = useWords();
  const { devices } = useLinkWords();
  const { timeZone } = usePreferences();
  const choices = useChoices();
  const [visitor, setVisitor] = useState(FIRST);
  const resolve = useMutation({
    mutationFn: async () => {
      const { device, language, referrer, query, at, source, country } = visitor;
      const { data } = await api.resolve(link.id, {
        userAgent: AGENTS[device as Device],
        country,
        source: source === 'scan' ? 'scan' : 'click',
        language: language.trim(),
        referrer: referrer.trim(),
        query: query.trim(),
        ...(at === '' ? {} : { at: fromLocalTime(at, timeZone) }),
      });
      return { visit: data, updatedAt: link.updatedAt };
    },
  });
  const set = (name: keyof typeof FIRST) => ({
    value: visitor[name],
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) =>
      setVisitor({ ...visitor, [name]: value }),
    // Enter would save the link.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      resolve.mutate();
    },
  });
  const { visit, updatedAt } = resolve.data ?? {};
  return (
    <>
      <div className={styles.pair}>
        <SelectField label={words.tryCountry} options={choices.countries.options} {...set('country')} />
        <TextField label={words.tryLanguage} placeholder="de-AT" {...set('language')} />
        <SelectField
          label={words.tryDevice}
          options={optionsOf(devices).filter(({ value }) => DEVICES.includes(value as Device))}
          {...set('device')}
        />
        <SelectField label={words.trySource} options={choices.sources.options} {...set('source')} />
        <TextField
          label={words.tryReferrer}
          placeholder="example.com"
          spellCheck={false}
          {...set('referrer')}
        />
        <TextField label={words.tryQuery} placeholder="ref=news" spellCheck={false} {...set('query')} />
        <TextField type="datetime-local" label={words.tryTime} description={useZoneHint()} {...set('at')} />
      </div>
      <ErrorLine error={resolve.error} />
      <div>
        <Button isBusy={resolve.isPending} onClick={() => resolve.mutate()}>
          {words.trySubmit}
        </Button>
      </div>
      <div role="status">
        {visit !== undefined && updatedAt === link.updatedAt ? (
          <Explanation visit={visit} link={link} />
        ) : null}
      </div>
    </>
  );
}

function Explanation({ visit, link }: { readonly visit: ResolvedVisit; readonly link: Smartlink }) {
  const words = useWords();
  const { decisions } = useLinkWords();
  const format = useFormat();
  const { routing, location, decision } = visit;
  const rules = link.routing?.rules ?? [];
  const nameOf = (id: string, place: number): string => {
    const name = rules?.find((rule) => rule.id === id)?.name;
    return typeof name === 'string' ? words.namedRule(place, name) : words.rule(place);
  };
  // In the order of the form.
  const unfitNames = (unfit: readonly string[]): string =>
    CONDITIONS.filter((name) => unfit.includes(name))
      .map((name) => words.conditions[name])
      .join(', ');
  return (
    <div className={styles.group}>
      {routing === undefined ? (
        <p>{words.noRouting}</p>
      ) : (
        <ul className={styles.explanation} aria-label={words.rules}>
          {routing.passed.map(({ id, unfit }, place) => (
            <li key={id}>{words.unfit(nameOf(id, place + 1), unfitNames(unfit))}</li>
          ))}
          <li>
            <strong>
              {routing.rule === null
                ? words.noRule
                : words.fits(nameOf(routing.rule, routing.passed.length + 1))}
            </strong>
          </li>
        </ul>
      )}
      <p>
        {words.leadsTo} <span className={styles.address}>{location ?? decisions[decision]}</span>
      </p>
      {routing?.variants === undefined ? null : (
        <ul className={styles.explanation} aria-label={words.variantsOf('')}>
          {routing.variants.map(({ id, share, location: target }) => (
            <li key={id} className={styles.address}>
              {format.percent(share)}: {target ?? words.own}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
