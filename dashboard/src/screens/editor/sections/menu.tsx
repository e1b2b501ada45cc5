import { type RefObject, useEffect, useRef, useState } from 'react';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { Button } from '../../../parts/button.js';
import { optionsOf } from '../../../parts/field.js';
import { Icon } from '../../../parts/icon.js';
import styles from '../editor.module.css';
import { useFaultUnder } from '../form/faults.js';
import { Color, LongText, Select, Text, ListFault } from '../form/fields.js';
import { PictureField } from '../form/picture-field.js';
import { Sortable, SortableItem } from '../form/sortable.js';
import { EMPTY_CATEGORY, EMPTY_ITEM, type Values } from '../form/values.js';
import { useWords } from '../words.js';
import { MenuItem } from './menu-item.js';
import { PasteItems } from './paste-items.js';

// Categories beyond this many items start closed: rendering 500 items takes a second.
const OPEN_ITEMS_MAX = 100;

export function MenuContent() {
  const words = useWords();
  const footnoteKind = useWatch<Values, 'footnoteKind'>({ name: 'footnoteKind' });
  return (
    <>
      <Text name="qrMenu.title" label={words.title} />
      <LongText name="qrMenu.description" label={words.description} />
      <PictureField name="qrMenu.logoLink" label={words.logo} />
      <PictureField name="qrMenu.coverLink" label={words.cover} />
      <div className={styles.pair}>
        <Color name="qrMenu.themeColor" label={words.themeColor} />
        <Text name="qrMenu.currency" label={words.currency} />
      </div>
      <div className={styles.pair}>
        <Select name="qrMenu.layout" label={words.layout} options={optionsOf(words.layouts)} />
        <Select name="qrMenu.theme" label={words.theme} options={optionsOf(words.themes)} />
      </div>
      <Select name="footnoteKind" label={words.footnote} options={optionsOf(words.footnotes)} />
      {footnoteKind === 'own' ? <Text name="qrMenu.footnote" label={words.ownFootnote} /> : null}
      <Categories />
    </>
  );
}

function Categories() {
  const words = useWords();
  const { setFocus, getValues } = useFormContext<Values>();
  const { fields, append, remove, move } = useFieldArray<Values, 'qrMenu.categories'>({
    name: 'qrMenu.categories',
  });
  const open = useRef<OpenCategories>(new Map());
  return (
    <div className={styles.group} id="qrMenu.categories" tabIndex={-1}>
      <h3>{words.categories}</h3>
      <ListFault path="qrMenu.categories" />
      {fields.length === 0 ? <p className={styles.hint}>{words.noCategories}</p> : null}
      {fields.length === 0 ? null : (
        <Sortable ids={fields.map(({ id }) => id)} onMove={move} label={words.categories}>
          {fields.map(({ id }, index) => (
            <Category key={id} id={id} index={index} open={open} onRemove={() => remove(index)} />
          ))}
        </Sortable>
      )}
      <div>
        <Button
          onClick={() => {
            append({ ...EMPTY_CATEGORY, items: [] }, { shouldFocus: false });
            const last = getValues('qrMenu.categories').length - 1;
            setTimeout(() => {
              setFocus(`qrMenu.categories.${last}.name`);
            });
          }}
        >
          <Icon name="plus" />
          {words.addCategory}
        </Button>
      </div>
    </div>
  );
}

/** By position. Survives the list, which is rebuilt after each save. */
type OpenCategories = Map<number, boolean>;

function isOpenAtFirst(categories: Values['qrMenu']['categories'], index: number): boolean {
  const counts = categories.slice(0, index + 1).map(({ items }) => items.length);
  return counts[index] === 0 || counts.reduce((sum, count) => sum + count, 0) <= OPEN_ITEMS_MAX;
}

function Category({
  id,
  index,
  open,
  onRemove,
}: {
  readonly id: string;
  readonly index: number;
  readonly open: RefObject<OpenCategories>;
  readonly onRemove: () => void;
}) {
  const words = useWords();
  const { getValues } = useFormContext<Values>();
  const path = `qrMenu.categories.${index}` as const;
  const of = words.category(index + 1);
  const [isOpen, setOpen] = useState(
    () => open.current.get(index) ?? isOpenAtFirst(getValues('qrMenu.categories'), index),
  );
  useEffect(() => {
    const places = open.current;
    places.set(index, isOpen);
    return () => {
      places.delete(index);
    };
  }, [open, index, isOpen]);
  const hasFault = useFaultUnder(`${path}.items`) !== undefined;
  return (
    <SortableItem
      id={id}
      index={index}
      name={of}
      onRemove={onRemove}
      actions={
        <Button
          look="quiet"
          isIcon
          aria-label={words.itemsOf(index + 1)}
          aria-expanded={isOpen || hasFault}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="list" />
        </Button>
      }
    >
      <Text name={`${path}.name`} of={of} label={words.partName} />
      {isOpen || hasFault ? <Items category={index} /> : <p className={styles.hint}>{words.closedItems}</p>}
    </SortableItem>
  );
}

function Items({ category }: { readonly category: number }) {
  const words = useWords();
  const { setFocus, getValues } = useFormContext<Values>();
  const name = `qrMenu.categories.${category}.items` as const;
  const { fields, append, remove, move } = useFieldArray<Values, typeof name>({ name });
  const [isPasting, setPasting] = useState(false);
  return (
    <div className={styles.group} id={name} tabIndex={-1}>
      <ListFault path={name} />
      {fields.length === 0 ? null : (
        <Sortable ids={fields.map(({ id }) => id)} onMove={move} label={words.itemsOf(category + 1)}>
          {fields.map(({ id }, index) => (
            <MenuItem key={id} id={id} category={category} index={index} onRemove={remove} />
          ))}
        </Sortable>
      )}
      <div className={styles.row}>
        <Button
          aria-label={words.addItemTo(category + 1)}
          onClick={() => {
            append({ ...EMPTY_ITEM, variants: [] }, { shouldFocus: false });
            const last = getValues(name).length - 1;
            setTimeout(() => {
              setFocus(`${name}.${last}.name`);
            });
          }}
        >
          <Icon name="plus" />
          {words.addItem}
        </Button>
        <Button look="quiet" aria-label={words.pasteItemsTo(category + 1)} onClick={() => setPasting(true)}>
          {words.pasteItems}
        </Button>
      </div>
      {isPasting ? (
        <PasteItems
          onClose={() => setPasting(false)}
          onAdd={(items) =>
            append(
              items.map((item) => ({ ...item, variants: [] })),
              { shouldFocus: false },
            )
          }
        />
      ) : null}
    </div>
  );
}
