import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '../../../parts/button.js';
import { optionsOf } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import styles from '../editor.module.css';
import { LinkText, ListFault, Select, Text } from '../form/fields.js';
import { PictureField } from '../form/picture-field.js';
import { Sortable, SortableItem } from '../form/sortable.js';
import { EMPTY_BUTTON, type Values } from '../form/values.js';
import { useWords } from '../words.js';

type ButtonList = 'landingButtons' | 'qrTagButtons' | 'digiCardButtons';

const PRESETS = {
  landingButtons: null,
  qrTagButtons: ['link', 'restaurant', 'delivery', 'phone', 'email', 'calendar', 'social'],
  digiCardButtons: ['phone', 'email', 'website', 'location', 'calendar', 'social', 'whatsapp', 'link'],
} as const;

/** The buttons of a page. */
export function Buttons({ list }: { readonly list: ButtonList }) {
  const words = useWords();
  const { setFocus } = useFormContext<Values>();
  const { fields, append, remove, move } = useFieldArray<Values, ButtonList>({ name: list });
  const presets = PRESETS[list];
  return (
    <div className={styles.group} id={list} tabIndex={-1}>
      <h3>{words.buttons}</h3>
      <ListFault path={list} />
      {fields.length === 0 ? null : (
        <Sortable ids={fields.map(({ id }) => id)} onMove={move} label={words.buttons}>
          {fields.map(({ id }, index) => {
            const of = words.button(index + 1);
            return (
              <SortableItem
                key={id}
                id={id}
                index={index}
                name={of}
                onRemove={() => {
                  remove(index);
                }}
              >
                <div className={styles.pair}>
                  <Text name={`${list}.${index}.title`} of={of} label={words.title} />
                  <LinkText
                    name={`${list}.${index}.link`}
                    of={of}
                    label={words.link}
                    placeholder={words.linkExample}
                    isOnPage
                  />
                </div>
                {presets === null ? (
                  <PictureField name={`${list}.${index}.iconUrl`} of={of} label={words.icon} />
                ) : (
                  <Select
                    name={`${list}.${index}.preset`}
                    of={of}
                    label={words.purpose}
                    options={[
                      { value: '', label: words.purposeByLink },
                      ...optionsOf(words.purposes).filter(({ value }) =>
                        (presets as readonly string[]).includes(value),
                      ),
                    ]}
                  />
                )}
              </SortableItem>
            );
          })}
        </Sortable>
      )}
      <div>
        <Button
          onClick={() => {
            append({ ...EMPTY_BUTTON }, { shouldFocus: false });
            setTimeout(() => {
              setFocus(`${list}.${fields.length}.title`);
            });
          }}
        >
          <Icon name="plus" />
          {words.addButton}
        </Button>
      </div>
    </div>
  );
}
