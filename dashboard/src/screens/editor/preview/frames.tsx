import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import styles from './preview.module.css';

export type Frames = {
  /** Loads the page in the hidden frame, then swaps the frames. Resolves when shown. */
  readonly show: (url: string) => Promise<void>;
};

const LOAD_MS = 3_000;
const SIDES = [0, 1] as const;

/** Two stacked frames, one visible. `onLeft`: a link in the page was followed, so the page is gone. */
export function PreviewFrames({
  ref,
  title,
  look,
  isHidden,
  onLeft,
  onShown,
}: {
  readonly ref: Ref<Frames>;
  readonly title: string;
  readonly look: string | undefined;
  /** True until the first page is shown. */
  readonly isHidden: boolean;
  readonly onLeft: () => void;
  readonly onShown: () => void;
}) {
  const elements = useRef<(HTMLIFrameElement | null)[]>([null, null]);
  const [front, setFront] = useState<0 | 1>(0);
  const loading = useRef<{ readonly side: 0 | 1; readonly done: () => void } | null>(null);
  const shown = useRef<0 | 1 | null>(null);

  useImperativeHandle(
    ref,
    () => ({
      show: (url) =>
        new Promise((resolve) => {
          const side = shown.current === 0 ? 1 : 0;
          const timer = setTimeout(() => {
            loading.current = null;
            resolve();
          }, LOAD_MS);
          loading.current = {
            side,
            done: () => {
              clearTimeout(timer);
              resolve();
            },
          };
          // Unlike setting `src`, this adds no history entry.
          elements.current[side]?.contentWindow?.location.replace(url);
        }),
    }),
    [],
  );

  // Resolves pending loads on unmount.
  useEffect(() => () => loading.current?.done(), []);

  const loaded = (side: 0 | 1) => {
    if (loading.current?.side === side) {
      const { done } = loading.current;
      loading.current = null;
      shown.current = side;
      setFront(side);
      onShown();
      done();
    } else if (side === shown.current) onLeft();
  };

  return SIDES.map((side) => {
    const isFront = side === front;
    return (
      <iframe
        key={side}
        ref={(element) => {
          elements.current[side] = element;
        }}
        className={`${styles.frame} ${look ?? ''} ${isFront && !isHidden ? '' : styles.back}`}
        title={isFront ? title : undefined}
        aria-hidden={isFront ? undefined : true}
        tabIndex={isFront ? undefined : -1}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        onLoad={() => {
          loaded(side);
        }}
      />
    );
  });
}
