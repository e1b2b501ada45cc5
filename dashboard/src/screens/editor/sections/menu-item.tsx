import { memo, useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import styles from '../editor.module.css';
import { useFaultUnder } from '../form/faults.js';
import { Checkbox, ListText, LongText, Text } from '../form/fields.js';
import { usePartNames } from '../form/part-names.js';
import { PictureField } from '../form/picture-field.js';
import { SortableItem } from '../form/sortable.js';
import { EMPTY_VARIANT, type Values } from '../form/values.js';
import { useWords } from '../words.js';

/** Memoized, as there may be hundreds. */
export const MenuItem = memo(function MenuItem({
  id,
  category,
  index,
  onRemove,
}: {
  readonly id: string;
  readonly category: number;
  readonly index: number;
  readonly onRemove: (index: number) => void;
}) {
  const words = useWords();
  const path = `qrMenu.categories.${category}.items.${index}` as const;
  const { inside } = usePartNames();
  const of = words.item(category + 1, index + 1);
  const [isOpen, setOpen] = useState(false);
  const hasFault = useFaultUnder(path) !== undefined;
  const isExpanded = isOpen || hasFault;
  return (
    <SortableItem
      id={id}
      index={index}
      name={of}
      heading={String(index + 1)}
      onRemove={() => onRemove(index)}
    >
      <div className={styles.priced}>
        <Text name={`${path}.name`} of={of} label={words.partName} />
        <Text name={`${path}.price`} of={of} label={words.price} inputMode="decimal" />
      </div>
      <div>
        <Button
          look="quiet"
          aria-label={words.detailsOf(inside(of))}
          aria-expanded={isExpanded}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="more" size={18} />
          {words.details}
        </Button>
      </div>
      {isExpanded ? (
        <>
          <LongText name={`${path}.description`} of={of} label={words.description} rows={2} />
          <PictureField name={`${path}.imageLink`} of={of} label={words.picture} />
          <ListText name={`${path}.badges`} of={of} label={words.badges} description={words.badgesHint} />
          <Checkbox name={`${path}.active`} of={of} label={words.shown} />
          <Variants category={category} item={index} />
        </>
      ) : null}
    </SortableItem>
  );
});

/** Sizes of an item, each with a price. */
function Variants({ category, item }: { readonly category: number; readonly item: number }) {
  const words = useWords();
  const name = `qrMenu.categories.${category}.items.${item}.variants` as const;
  const { fields, append, remove } = useFieldArray<Values, typeof name>({ name });
  const { inside } = usePartNames();
  const of = words.item(category + 1, item + 1);
  return (
    <div className={styles.group}>
      {fields.map(({ id }, index) => {
        const size = words.size(of, index + 1);
        return (
          <div key={id} className={styles.size}>
            <Text name={`${name}.${index}.label`} of={size} label={words.partName} />
            <Text name={`${name}.${index}.price`} of={size} label={words.price} inputMode="decimal" />
            <Button
              look="quiet"
              isIcon
              aria-label={words.remove(inside(size))}
              onClick={() => {
                remove(index);
              }}
            >
              <Icon name="trash" />
            </Button>
          </div>
        );
      })}
      <div>
        <Button
          look="quiet"
          aria-label={words.addSizeTo(inside(of))}
          onClick={() => append({ ...EMPTY_VARIANT })}
        >
          <Icon name="plus" />
          {words.addSize}
        </Button>
      </div>
    </div>
  );
}
