import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../../app/api.js';
import { ButtonAnchor } from '../../parts/button.js';
import { faultsByPath } from '../../parts/fault-text.js';
import { FieldGroup, SelectField, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { ErrorLine } from '../../parts/notice.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { addCaption, dataAddress, type Design, drawPng, imageAddress, toQuery } from './design.js';
import styles from './qr.module.css';
import { useWords } from './words.js';

const WAIT_MS = 200;
const CAPTION_MAX = 60;
const ECCS = ['L', 'M', 'Q', 'H'] as const;

export type QrLink = { readonly id: string; readonly relink: string; readonly slug: string };

/** The picture of a design, as it was last drawn without faults. */
export function useQrPicture({ id }: Pick<QrLink, 'id'>, design: Design) {
  const settled = useSettled(design);
  const { caption: _, ...drawn } = settled;
  const query = useQuery({
    queryKey: ['qr', id, drawn],
    queryFn: async ({ signal }) => (await api.qr.svg(id, toQuery(settled), { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const svg = query.data === undefined ? null : addCaption(query.data, settled);
  return { svg, error: query.error, design: settled };
}

/** The value of a moment ago, while it changes. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value);
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return settled;
}

/** The fields of a design, the picture, and its files. */
export function QrDesigner({
  link,
  design,
  onChange,
  picture: { svg, error, design: drawn },
  children,
}: {
  readonly link: QrLink;
  readonly design: Design;
  readonly onChange: (design: Design) => void;
  readonly picture: ReturnType<typeof useQrPicture>;
  /** More actions, beside the files. */
  readonly children?: ReactNode;
}) {
  const words = useWords();
  const faults = faultsByPath(error, usePartsWords());
  const field = (name: keyof Design) => ({
    value: design[name],
    error: faults.get(name),
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) => {
      onChange({ ...design, [name]: value });
    },
  });
  return (
    <div className={styles.designer}>
      <div className={styles.picture}>
        {svg === null ? null : (
          <img src={dataAddress(svg)} alt={words.image(link.relink)} className={styles.image} />
        )}
      </div>
      <div className={styles.fields}>
        <FieldGroup>
          <div className={styles.pair}>
            <TextField
              type="number"
              label={words.size}
              description={words.sizeHint}
              min={64}
              max={2048}
              {...field('size')}
            />
            <TextField
              type="number"
              label={words.margin}
              description={words.marginHint}
              min={0}
              max={16}
              {...field('margin')}
            />
          </div>
          <SelectField
            label={words.ecc}
            options={ECCS.map((value) => ({ value, label: words.eccs[value] }))}
            {...field('ecc')}
          />
          <div className={styles.pair}>
            <TextField type="color" label={words.color} {...field('color')} />
            <TextField type="color" label={words.background} {...field('background')} />
          </div>
          <TextField
            label={words.caption}
            description={words.captionHint}
            maxLength={CAPTION_MAX}
            {...field('caption')}
          />
          {faults.size > 0 ? null : <ErrorLine error={error} />}
        </FieldGroup>
        <Files link={link} svg={svg} design={drawn} />
        {children}
      </div>
    </div>
  );
}

function Files({
  link: { id, slug },
  svg,
  design,
}: {
  readonly link: QrLink;
  readonly svg: string | null;
  readonly design: Design;
}) {
  const words = useWords();
  const png = useCaptionedPng(svg, design);
  if (svg === null) return null;
  const hasCaption = design.caption !== '';
  const files = [
    {
      format: 'svg',
      label: words.svg,
      href: hasCaption ? dataAddress(svg) : imageAddress(id, design, 'svg'),
    },
    { format: 'png', label: words.png, href: hasCaption ? (png ?? '') : imageAddress(id, design, 'png') },
  ];
  return (
    <div className={styles.files}>
      {files.map(({ format, label, href }) => (
        <ButtonAnchor key={format} href={href} download={`qr-${slug}.${format}`}>
          <Icon name="import" size={18} />
          {label}
        </ButtonAnchor>
      ))}
    </div>
  );
}

/** The API draws no captions: such a PNG is drawn here. */
function useCaptionedPng(svg: string | null, { caption }: Design): string | null {
  const [png, setPng] = useState<string | null>(null);
  useEffect(() => {
    if (svg === null || caption === '') return undefined;
    let isCurrent = true;
    void drawPng(svg).then(
      (address) => {
        if (isCurrent) setPng(address);
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [svg, caption]);
  return png;
}
