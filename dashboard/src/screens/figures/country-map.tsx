import type { CSSProperties } from 'react';
import worldMap from 'virtual:world-map';
import { useFormat } from '../../words/format.js';
import styles from './figures.module.css';
import type { Counts } from './read-figures.js';
import { useWords } from './words.js';

const TINTS = 5;
const LIGHTEST_PERCENT = 30;

/** Countries in up to five tints; nothing if none is known. Pressing one filters, as in the list, which is reachable by keyboard. */
export function CountryMap({
  counts,
  nameOf,
  onPress,
}: {
  readonly counts: Counts;
  readonly nameOf: (code: string) => string;
  readonly onPress: ((code: string) => void) | null;
}) {
  const words = useWords();
  const format = useFormat();
  const most = Math.max(0, ...worldMap.countries.map(([code]) => counts[code] ?? 0));
  if (most === 0) return null;
  const bounds = boundsOf(most);
  const tintOf = (level: number): CSSProperties => {
    const darkness = (TINTS - bounds.length + level) / (TINTS - 1);
    return { '--share': `${LIGHTEST_PERCENT + (100 - LIGHTEST_PERCENT) * darkness}%` } as CSSProperties;
  };
  return (
    <>
      <svg role="img" aria-label={words.map} viewBox={worldMap.viewBox} className={styles.map}>
        {worldMap.countries.map(([code, path]) => {
          const count = counts[code] ?? 0;
          if (count === 0) return <path key={path} d={path} className={styles.land} />;
          return (
            <path
              key={path}
              d={path}
              className={onPress === null ? styles.tint : styles.pressable}
              style={tintOf(bounds.findIndex((bound) => count <= bound))}
              onClick={() => onPress?.(code)}
            >
              <title>{`${nameOf(code)}: ${format.number(count)}`}</title>
            </path>
          );
        })}
      </svg>
      <p className={styles.mapKeys} aria-hidden="true">
        {bounds.map((bound, level) => {
          const least = (bounds[level - 1] ?? 0) + 1;
          return (
            <span key={bound} className={styles.mapKey}>
              <svg width="12" height="12" className={styles.tint} style={tintOf(level)}>
                <rect width="12" height="12" rx="3" />
              </svg>
              {least === bound ? format.number(bound) : `${format.number(least)}–${format.number(bound)}`}
            </span>
          );
        })}
      </p>
    </>
  );
}

/** Upper bounds of the tints, in geometric steps. */
function boundsOf(most: number): readonly number[] {
  const bounds = Array.from({ length: TINTS }, (_, index) => Math.round(most ** ((index + 1) / TINTS)));
  return [...new Set(bounds)];
}
