import { useState } from 'react';
import { useController, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { usePreferences } from '../../../app/preferences.js';
import { Button } from '../../../parts/button.js';
import { SelectField } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import styles from '../editor.module.css';
import { ListFault, Select, Text } from '../form/fields.js';
import { ListField } from '../form/list-field.js';
import { usePartNames } from '../form/part-names.js';
import { type Condition, CONDITIONS, EMPTY_PARAMETER } from '../form/routing-values.js';
import type { Values } from '../form/values.js';
import { Choice } from './choice.js';
import { useChoices } from './choices.js';
import { TimeField } from './time-field.js';
import { Weekly } from './weekly.js';
import { useWords } from './words.js';

const WORKING_DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];

/** The conditions of a rule: those it has, and a choice of others. */
export function Conditions({ index }: { readonly index: number }) {
  const words = useWords();
  const parts = usePartNames();
  const { timeZone } = usePreferences();
  const { setValue, getValues } = useFormContext<Values>();
  const path = `routing.rules.${index}` as const;
  const of = words.rule(index + 1);
  const chosen = useWatch<Values, `${typeof path}.conditions`>({ name: `${path}.conditions` });
  const left = CONDITIONS.filter((condition) => !chosen.includes(condition));
  const [picked, setPicked] = useState<Condition>('countries');
  const next = left.includes(picked) ? picked : left[0];
  const addId = `${path}.add`;

  function add(condition: Condition): void {
    if (condition === 'weekly' && getValues(`${path}.when.weekly.timeZone`) === '') {
      const hours = { timeZone, days: WORKING_DAYS, from: '09:00', to: '18:00' };
      setValue(`${path}.when.weekly`, hours);
    }
    if (condition === 'query' && getValues(`${path}.when.query`).length === 0) {
      setValue(`${path}.when.query`, [{ ...EMPTY_PARAMETER }]);
    }
    const all = CONDITIONS.filter((each) => each === condition || chosen.includes(each));
    setValue(`${path}.conditions`, all, { shouldDirty: true });
    setTimeout(() => document.getElementById(`${path}.when.${condition}`)?.focus());
  }

  function remove(condition: Condition): void {
    const others = chosen.filter((each) => each !== condition);
    setValue(`${path}.conditions`, others, { shouldDirty: true });
    setTimeout(() => document.getElementById(addId)?.focus());
  }

  return (
    <div className={styles.group} id={`${path}.when`} tabIndex={-1}>
      <ListFault path={`${path}.when`} />
      {CONDITIONS.filter((condition) => chosen.includes(condition)).map((condition) => (
        <div key={condition} className={styles.condition}>
          <ConditionField index={index} condition={condition} />
          <Button
            look="quiet"
            isIcon
            aria-label={words.removeCondition(words.conditions[condition], parts.inside(of))}
            onClick={() => remove(condition)}
          >
            <Icon name="trash" />
          </Button>
        </div>
      ))}
      {next === undefined ? null : (
        <div className={styles.adder}>
          <SelectField
            id={addId}
            label={words.condition}
            aria-label={parts.field(of, words.condition)}
            value={next}
            options={left.map((value) => ({ value, label: words.conditions[value] }))}
            onChange={({ target: { value } }) => setPicked(value as Condition)}
          />
          <Button aria-label={words.addConditionTo(parts.inside(of))} onClick={() => add(next)}>
            <Icon name="plus" />
            {words.addCondition}
          </Button>
        </div>
      )}
    </div>
  );
}

function ConditionField({ index, condition }: { readonly index: number; readonly condition: Condition }) {
  const words = useWords();
  const parts = usePartNames();
  const choices = useChoices();
  const of = words.rule(index + 1);
  const label = words.conditions[condition];
  const name = `routing.rules.${index}.when` as const;
  switch (condition) {
    case 'from':
    case 'until':
      return <TimeField name={`${name}.${condition}`} of={of} label={label} />;
    case 'weekly':
      return <Weekly index={index} />;
    case 'query':
      return <Parameters index={index} />;
    case 'devices':
    case 'sources':
      return (
        <Choice
          name={`${name}.${condition}`}
          label={parts.field(of, label)}
          options={choices[condition].options}
        />
      );
    case 'countries':
    case 'languages':
    case 'systems':
    case 'browsers':
    case 'referrers':
      return (
        <ListField
          name={`${name}.${condition}`}
          label={label}
          fullName={parts.field(of, label)}
          description={words.conditionHints[condition]}
          listLabel={parts.field(of, label)}
          options={choices[condition].options}
          nameOf={choices[condition].nameOf}
          removeLabel={words.removeValue}
        />
      );
  }
}

/** Parameters of the visited address; all must fit. */
function Parameters({ index }: { readonly index: number }) {
  const words = useWords();
  const parts = usePartNames();
  const name = `routing.rules.${index}.when.query` as const;
  const { fields, append, remove } = useFieldArray<Values, typeof name, 'key'>({ name, keyName: 'key' });
  const of = words.rule(index + 1);
  return (
    <fieldset className={styles.parameters} id={name} tabIndex={-1}>
      <legend>{parts.field(of, words.conditions.query)}</legend>
      <ListFault path={name} />
      {fields.map(({ key }, place) => (
        <Parameter
          key={key}
          index={index}
          place={place}
          onRemove={() => {
            remove(place);
          }}
        />
      ))}
      <div>
        <Button onClick={() => append({ ...EMPTY_PARAMETER })}>
          <Icon name="plus" />
          {words.addParameter}
        </Button>
      </div>
    </fieldset>
  );
}

function Parameter({
  index,
  place,
  onRemove,
}: {
  readonly index: number;
  readonly place: number;
  readonly onRemove: () => void;
}) {
  const words = useWords();
  const path = `routing.rules.${index}.when.query.${place}` as const;
  const of = words.parameter(index + 1, place + 1);
  const { field } = useController<Values, `${typeof path}.match`>({ name: `${path}.match` });
  return (
    <div className={styles.condition}>
      <div className={styles.three}>
        <Text name={`${path}.name`} of={of} label={words.parameterName} spellCheck={false} />
        <Select
          name={`${path}.match`}
          of={of}
          label={words.match}
          options={[
            { value: 'any', label: words.matches.any },
            { value: 'exact', label: words.matches.exact },
          ]}
        />
        {field.value === 'any' ? null : (
          <Text name={`${path}.value`} of={of} label={words.parameterValue} spellCheck={false} />
        )}
      </div>
      <Button look="quiet" isIcon aria-label={words.removeValue(of)} onClick={onRemove}>
        <Icon name="trash" />
      </Button>
    </div>
  );
}
