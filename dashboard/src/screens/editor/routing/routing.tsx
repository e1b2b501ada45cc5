import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { Button } from '../../../parts/button.js';
import { RadioGroup } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import { useStatus } from '../../../parts/status.js';
import styles from '../editor.module.css';
import { LinkText, ListFault, Select, Text } from '../form/fields.js';
import { EMPTY_RULE, EMPTY_SHARE } from '../form/routing-values.js';
import { Sortable, SortableItem } from '../form/sortable.js';
import type { Values } from '../form/values.js';
import { Conditions } from './conditions.js';
import { Shares } from './shares.js';
import { TryIt } from './try-it.js';
import { useWords } from './words.js';

const RULES_MAX = 20;

/** Rules and variants that lead visitors elsewhere. */
export function Routing() {
  const words = useWords();
  return (
    <div className={styles.group} id="routing" tabIndex={-1}>
      <p className={styles.hint}>{words.routingHint}</p>
      <ListFault path="routing" />
      <Rules />
      <h3>{words.otherwise}</h3>
      <p className={styles.hint}>{words.otherwiseHint}</p>
      <Shares path="routing.variants" />
      <Sticky />
      <TryIt />
    </div>
  );
}

function Rules() {
  const words = useWords();
  const say = useStatus();
  const { setFocus } = useFormContext<Values>();
  const { fields, append, remove, move } = useFieldArray<Values, 'routing.rules', 'key'>({
    name: 'routing.rules',
    keyName: 'key',
  });
  return (
    <div className={styles.group} id="routing.rules" tabIndex={-1}>
      <h3>{words.rules}</h3>
      <ListFault path="routing.rules" />
      {fields.length === 0 ? null : (
        <Sortable
          ids={fields.map(({ key }) => key)}
          label={words.rules}
          onMove={(from, to) => {
            move(from, to);
            say(words.moved(words.rule(from + 1), to + 1, fields.length));
          }}
        >
          {fields.map(({ key }, index) => (
            <SortableItem
              key={key}
              id={key}
              index={index}
              name={words.rule(index + 1)}
              onRemove={() => {
                remove(index);
              }}
            >
              <Rule index={index} />
            </SortableItem>
          ))}
        </Sortable>
      )}
      {fields.length >= RULES_MAX ? null : (
        <div>
          <Button
            onClick={() => {
              append(structuredClone(EMPTY_RULE), { shouldFocus: false });
              setTimeout(() => {
                setFocus(`routing.rules.${fields.length}.name`);
              });
            }}
          >
            <Icon name="plus" />
            {words.addRule}
          </Button>
        </div>
      )}
    </div>
  );
}

function Rule({ index }: { readonly index: number }) {
  const words = useWords();
  const { setValue, getValues } = useFormContext<Values>();
  const path = `routing.rules.${index}` as const;
  const of = words.rule(index + 1);
  const target = useWatch<Values, `${typeof path}.target`>({ name: `${path}.target` });
  return (
    <div className={styles.group} id={path} tabIndex={-1}>
      <ListFault path={path} />
      <Text name={`${path}.name`} of={of} label={words.name} description={words.nameHint} />
      <Conditions index={index} />
      <RadioGroup
        label={words.targetOf(of)}
        options={[
          { value: 'url', label: words.targets.url },
          { value: 'variants', label: words.targets.variants },
        ]}
        value={target}
        onChange={(value) => {
          setValue(`${path}.target`, value, { shouldDirty: true });
          if (value === 'variants' && getValues(`${path}.variants`).length === 0) {
            const url = getValues(`${path}.url`);
            setValue(`${path}.variants`, [{ ...EMPTY_SHARE, url }, { ...EMPTY_SHARE }], {
              shouldDirty: true,
            });
          }
        }}
      />
      {target === 'url' ? (
        <LinkText name={`${path}.url`} of={of} label={words.url} />
      ) : (
        <Shares path={`${path}.variants`} of={of} />
      )}
    </div>
  );
}

/** Whether a visitor keeps a variant; shown with the first variant. */
function Sticky() {
  const words = useWords();
  const { rules, variants, sticky } = useWatch<Values, 'routing'>({ name: 'routing' });
  const isSplit = variants.length > 0 || rules.some(({ target }) => target === 'variants');
  if (!isSplit) return null;
  return (
    <Select
      name="routing.sticky"
      label={words.sticky}
      description={words.stickyHint}
      options={[
        // The default is written only where it was.
        { value: sticky === 'visitor' ? 'visitor' : '', label: words.stickies.visitor },
        { value: 'none', label: words.stickies.none },
      ]}
    />
  );
}
