import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { useStatus } from '../../../parts/status.js';
import { useFormat } from '../../../words/format.js';
import styles from '../editor.module.css';
import { LinkText, ListFault, Text } from '../form/fields.js';
import { usePartNames } from '../form/part-names.js';
import { EMPTY_SHARE, sharesOf } from '../form/routing-values.js';
import { Sortable, SortableItem } from '../form/sortable.js';
import type { Values } from '../form/values.js';
import { useWords } from './words.js';

const VARIANTS_MAX = 10;

type SharesPath = 'routing.variants' | `routing.rules.${number}.variants`;

/** Destinations among which visitors are split, with the share of each. */
export function Shares({ path, of = '' }: { readonly path: SharesPath; readonly of?: string }) {
  const words = useWords();
  const say = useStatus();
  const owner = usePartNames().inside(of);
  const { setFocus } = useFormContext<Values>();
  const { fields, append, remove, move } = useFieldArray<Values, SharesPath, 'key'>({
    name: path,
    keyName: 'key',
  });
  const variants = useWatch<Values, SharesPath>({ name: path });
  const shares = sharesOf(variants.map(({ weight }) => weight));
  return (
    <div className={styles.group} id={path} tabIndex={-1}>
      <ListFault path={path} />
      {fields.length === 0 ? null : (
        <Sortable
          ids={fields.map(({ key }) => key)}
          label={words.variantsOf(owner)}
          onMove={(from, to) => {
            move(from, to);
            say(words.moved(words.variant(from + 1, of), to + 1, fields.length));
          }}
        >
          {fields.map(({ key }, index) => {
            const name = words.variant(index + 1, of);
            return (
              <SortableItem
                key={key}
                id={key}
                index={index}
                name={name}
                heading={words.variant(index + 1, '')}
                onRemove={() => {
                  remove(index);
                }}
              >
                <Share path={`${path}.${index}`} of={name} share={shares[index] ?? null} />
              </SortableItem>
            );
          })}
        </Sortable>
      )}
      {fields.length >= VARIANTS_MAX ? null : (
        <div>
          <Button
            aria-label={words.addVariantTo(owner)}
            onClick={() => {
              // One variant alone is refused.
              const added =
                fields.length === 0 ? [{ ...EMPTY_SHARE }, { ...EMPTY_SHARE }] : { ...EMPTY_SHARE };
              append(added, { shouldFocus: false });
              setTimeout(() => {
                setFocus(`${path}.${fields.length}.url`);
              });
            }}
          >
            <Icon name="plus" />
            {words.addVariant}
          </Button>
        </div>
      )}
    </div>
  );
}

function Share({
  path,
  of,
  share,
}: {
  readonly path: `${SharesPath}.${number}`;
  readonly of: string;
  readonly share: number | null;
}) {
  const words = useWords();
  const format = useFormat();
  return (
    <>
      <LinkText name={`${path}.url`} of={of} label={words.url} description={words.ownAnswer} />
      <Text
        name={`${path}.weight`}
        of={of}
        label={words.weight}
        description={words.share(share === null ? '–' : format.percent(share))}
        inputMode="numeric"
      />
    </>
  );
}
