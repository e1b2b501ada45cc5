import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import styles from './preview.module.css';

export type Frames = {
  /** Loads the page out of sight, and shows it. Resolves when it is there. */
  readonly show: (url: string) => Promise<void>;
};

const LOAD_MS = 3_000;
const SIDES = [0, 1] as const;

/** Two frames in one place, of which one is seen. `onLeft`: a link in it was pressed, and the page is gone. */
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
  /** While there is no page. */
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
          // Unlike a change of `src`, without a step in the history.
          elements.current[side]?.contentWindow?.location.replace(url);
        }),
    }),
    [],
  );

  // Pending loads end when the frames are removed.
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
