import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { usePreferences } from '../../../app/preferences.js';
import { formatOf } from '../../../words/format.js';
import { timeZones } from '../../figures/query.js';
import styles from '../editor.module.css';
import { Select, Text } from '../form/fields.js';
import { usePartNames } from '../form/part-names.js';
import type { Values } from '../form/values.js';
import { Choice } from './choice.js';
import { useWords } from './words.js';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
// A Monday.
const MONDAY_MS = Date.UTC(2026, 10, 23);
const DAY_MS = 86_400_000;

/** Hours of the week. */
export function Weekly({ index }: { readonly index: number }) {
  const words = useWords();
  const parts = usePartNames();
  const { language } = usePreferences();
  const path = `routing.rules.${index}.when.weekly` as const;
  const of = words.rule(index + 1);
  const zone = useWatch<Values, `${typeof path}.timeZone`>({ name: `${path}.timeZone` });
  const days = useMemo(() => {
    const format = formatOf(language, 'UTC');
    return DAYS.map((value, place) => ({
      value,
      label: format.time(new Date(MONDAY_MS + place * DAY_MS), { weekday: 'long' }),
    }));
  }, [language]);
  // The browser may lack a zone of the service.
  const zones = timeZones().includes(zone) ? timeZones() : [zone, ...timeZones()];
  return (
    <div className={styles.group} id={path} tabIndex={-1}>
      <Choice name={`${path}.days`} label={parts.field(of, words.conditions.weekly)} options={days} />
      <div className={styles.three}>
        <Text name={`${path}.from`} of={of} label={words.clockFrom} type="time" />
        <Text name={`${path}.to`} of={of} label={words.clockTo} type="time" description={words.clockToHint} />
        <Select
          name={`${path}.timeZone`}
          of={of}
          label={words.timeZone}
          options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        />
      </div>
    </div>
  );
}
