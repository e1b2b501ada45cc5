import { type Ref, useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { SmartlinkType } from '@smartlink/client';
import { optionsOf, RadioGroup, SelectField } from '../../../parts/field.js';
import { LANGUAGES } from '../../../words/words.js';
import type { Values } from '../form/values.js';
import { useWords } from '../words.js';
import { type Frames, PreviewFrames } from './frames.js';
import styles from './preview.module.css';
import type { DraftState, Look } from './use-draft-check.js';

const WIDTHS = { phone: 390, tablet: 768, desktop: 1280 } as const;
type Width = keyof typeof WIDTHS;
const WIDTH_NAMES = Object.keys(WIDTHS) as Width[];

/** Preview of the page for visitors. */
export function Preview({
  ref,
  type,
  state,
  look,
  onLook,
  onLeft,
}: {
  readonly ref: Ref<Frames>;
  readonly type: SmartlinkType;
  readonly state: DraftState;
  readonly look: Look;
  readonly onLook: (look: Look) => void;
  readonly onLeft: () => void;
}) {
  const words = useWords();
  const isProtected = useWatch<Values, 'shortener.protected'>({ name: 'shortener.protected' });
  const [width, setWidth] = useState<Width>('phone');
  const [colors, setColors] = useState<'light' | 'dark'>('light');
  // A page of another type is not an earlier version of this one.
  const [shownType, setShownType] = useState<SmartlinkType | null>(null);
  const isShown = shownType === type;
  const stage = useScale(WIDTHS[width]);
  return (
    <section className={styles.preview} aria-label={words.previewSection}>
      <div className={styles.controls}>
        <RadioGroup
          label={words.previewWidth}
          options={WIDTH_NAMES.map((value) => ({ value, label: words.widths[value] }))}
          value={width}
          onChange={setWidth}
        />
        <div className={styles.choices}>
          <SelectField
            label={words.previewLanguage}
            options={optionsOf(LANGUAGES)}
            value={look.language}
            onChange={({ target: { value } }) => onLook({ ...look, language: value as Look['language'] })}
          />
          <ViewField type={type} isProtected={isProtected} look={look} onLook={onLook} />
          <SelectField
            label={words.previewColors}
            options={optionsOf(words.colors)}
            value={colors}
            onChange={({ target: { value } }) => setColors(value === 'dark' ? 'dark' : 'light')}
          />
        </div>
      </div>
      <p className={styles.state} role="status">
        {stateText(state, isShown, words) ||
          (type === 'Url' && !isProtected && look.view === 'own' ? words.straight : '')}
      </p>
      <div className={styles.stage} ref={stage}>
        <PreviewFrames
          key={type}
          ref={ref}
          title={words.preview}
          look={colors === 'dark' ? styles.dark : styles.light}
          isHidden={!isShown}
          onLeft={onLeft}
          onShown={() => setShownType(type)}
        />
      </div>
    </section>
  );
}

function stateText(state: DraftState, isShown: boolean, words: ReturnType<typeof useWords>): string {
  if (state === 'away') return words.previewAway;
  if (state === 'faulty') return isShown ? words.lastGood : words.noPreview;
  return '';
}

function ViewField({
  type,
  isProtected,
  look,
  onLook,
}: {
  readonly type: SmartlinkType;
  readonly isProtected: boolean;
  readonly look: Look;
  readonly onLook: (look: Look) => void;
}) {
  const words = useWords();
  const { own, password, share, preview } = words.views;
  const options = type === 'Url' ? { own: isProtected ? password : preview, share } : { own, share, preview };
  return (
    <SelectField
      label={words.previewView}
      options={optionsOf(options)}
      value={look.view in options ? look.view : 'own'}
      onChange={({ target: { value } }) => onLook({ ...look, view: value as Look['view'] })}
    />
  );
}

/** Scales a page of `width` CSS pixels to the stage. */
function useScale(width: number) {
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const scale = Math.min(1, element.clientWidth / width);
      element.style.setProperty('--page-width', `${Math.min(width, element.clientWidth / scale)}px`);
      element.style.setProperty('--page-scale', String(scale));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [width]);
  return stage;
}
