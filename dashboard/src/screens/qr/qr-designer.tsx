import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Dispatch, type ReactNode, type SetStateAction, useState } from 'react';
import { api } from '../../app/api.js';
import { Button, ButtonAnchor, FileButton } from '../../parts/button.js';
import { faultsByPath } from '../../parts/fault-text.js';
import { FieldGroup, SelectField, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { ErrorLine, ErrorText } from '../../parts/notice.js';
import { useSettled } from '../../parts/typing.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import {
  addCaption,
  addLogo,
  dataAddress,
  type Design,
  drawPng,
  imageAddress,
  LOGO_ECCS,
  readLogo,
  toQuery,
} from './design.js';
import styles from './qr.module.css';
import { useWords } from './words.js';

const CAPTION_MAX = 60;
const ECCS = ['L', 'M', 'Q', 'H'] as const;

export type QrLink = { readonly id: string; readonly relink: string; readonly slug: string };

/** The picture of the last valid design. */
export function useQrPicture({ id }: Pick<QrLink, 'id'>, design: Design) {
  const settled = useSettled(design);
  const drawn = toQuery(settled);
  const query = useQuery({
    queryKey: ['qr', id, drawn],
    queryFn: async ({ signal }) => (await api.qr.svg(id, drawn, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const svg = query.data === undefined ? null : addCaption(addLogo(query.data, settled), settled);
  return { svg, error: query.error, design: settled };
}

/** Fields of a design, its picture and download links. */
export function QrDesigner({
  link,
  design,
  onChange,
  picture: { svg, error, design: drawn },
  children,
}: {
  readonly link: QrLink;
  readonly design: Design;
  readonly onChange: OnDesign;
  readonly picture: ReturnType<typeof useQrPicture>;
  /** More actions beside the downloads. */
  readonly children?: ReactNode;
}) {
  const words = useWords();
  return (
    <div className={styles.designer}>
      <div className={styles.picture}>
        {svg === null ? null : (
          <img src={dataAddress(svg)} alt={words.image(link.relink)} className={styles.image} />
        )}
      </div>
      <div className={styles.fields}>
        <DesignFields design={design} onChange={onChange} error={error} />
        <Files link={link} svg={svg} design={drawn} />
        {children}
      </div>
    </div>
  );
}

type OnDesign = Dispatch<SetStateAction<Design>>;

function DesignFields({
  design,
  onChange,
  error,
}: {
  readonly design: Design;
  readonly onChange: OnDesign;
  readonly error: unknown;
}) {
  const words = useWords();
  const faults = faultsByPath(error, usePartsWords());
  const field = (name: keyof Design) => ({
    value: design[name],
    error: faults.get(name),
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) =>
      onChange({ ...design, [name]: value }),
  });
  return (
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
        options={(design.logo === '' ? ECCS : LOGO_ECCS).map((value) => ({
          value,
          label: words.eccs[value],
        }))}
        {...field('ecc')}
      />
      <div className={styles.pair}>
        <TextField type="color" label={words.color} {...field('color')} />
        <TextField type="color" label={words.background} {...field('background')} />
      </div>
      <Logo hasLogo={design.logo !== ''} onChange={onChange} />
      <TextField
        label={words.caption}
        description={words.captionHint}
        maxLength={CAPTION_MAX}
        {...field('caption')}
      />
      {faults.size > 0 ? null : <ErrorLine error={error} />}
    </FieldGroup>
  );
}

function Logo({ hasLogo, onChange }: { readonly hasLogo: boolean; readonly onChange: OnDesign }) {
  const words = useWords();
  const [isRefused, setRefused] = useState(false);
  return (
    <div className={styles.logo}>
      <p className={styles.hint}>{words.logoHint}</p>
      <div className={styles.files}>
        <FileButton
          accept="image/*"
          onFile={(file) => {
            void readLogo(file).then(
              (logo) => {
                setRefused(false);
                onChange((design) => ({ ...design, logo, ecc: 'H' }));
              },
              () => setRefused(true),
            );
          }}
        >
          <Icon name="upload" size={18} />
          {words.chooseLogo}
        </FileButton>
        {hasLogo ? (
          <Button look="quiet" onClick={() => onChange((design) => ({ ...design, logo: '' }))}>
            {words.removeLogo}
          </Button>
        ) : null}
      </div>
      {isRefused ? <ErrorText>{words.noPicture}</ErrorText> : null}
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
  const isComposed = design.caption !== '' || design.logo !== '';
  const png = useComposedPng(isComposed ? svg : null);
  if (svg === null) return null;
  const files = [
    {
      format: 'svg',
      label: words.svg,
      href: isComposed ? dataAddress(svg) : imageAddress(id, design, 'svg'),
    },
    { format: 'png', label: words.png, href: isComposed ? png : imageAddress(id, design, 'png') },
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

/** A PNG with caption or logo, which the API cannot draw. */
function useComposedPng(svg: string | null): string | undefined {
  return useQuery({
    queryKey: ['qr', 'png', svg],
    queryFn: () => drawPng(svg ?? ''),
    enabled: svg !== null,
    gcTime: 0,
  }).data;
}
