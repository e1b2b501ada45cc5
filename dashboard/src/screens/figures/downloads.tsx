import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { ErrorLine } from '../../parts/notice.js';
import { useFormat } from '../../words/format.js';
import { useLabelFormat } from './chart-layout.js';
import { drawChart } from './chart-picture.js';
import type { Compared } from './compare.js';
import styles from './figures.module.css';
import { DIMENSIONS, FILTERS, type Span } from './query.js';
import { type Choice, type Figures, readCsv } from './read-figures.js';
import { useValueNames } from './value-names.js';
import { useWords } from './words.js';

/** Downloads the entries as CSV. */
export function CsvDownload({
  choice,
  span,
  fileName,
  isRestricted,
}: {
  readonly choice: Choice;
  readonly span: Span;
  /** Without extension. */
  readonly fileName: string;
  /** Excluded by the plan. */
  readonly isRestricted: boolean;
}) {
  const words = useWords();
  const id = useId();
  const download = useMutation({
    mutationFn: async () =>
      save(new Blob([await readCsv(choice, span)], { type: 'text/csv' }), `${fileName}.csv`),
  });
  return (
    <>
      <Button
        onClick={() => download.mutate()}
        isBusy={download.isPending}
        disabled={isRestricted}
        aria-describedby={isRestricted ? id : undefined}
      >
        <Icon name="import" size={18} />
        {words.downloadCsv}
      </Button>
      <ErrorLine error={download.error} />
      {isRestricted ? (
        <p id={id} className={styles.reason}>
          {words.planAdvanced}
        </p>
      ) : null}
    </>
  );
}

/** Downloads the chart as PNG. */
export function PngDownload({
  figures: { entries, clicks, scans },
  compared,
  choice: { filters },
  interval,
  title,
  themeColor,
  fileName,
}: {
  readonly figures: Figures;
  readonly compared: Compared | null;
  readonly choice: Choice;
  readonly interval: Span['interval'];
  readonly title: string;
  readonly themeColor: string | undefined;
  /** Without extension. */
  readonly fileName: string;
}) {
  const words = useWords();
  const { number } = useFormat();
  const format = useLabelFormat();
  const nameOf = useValueNames();
  const filterNames = DIMENSIONS.flatMap((dimension) => {
    const value = filters[FILTERS[dimension]];
    return value === undefined ? [] : [nameOf(dimension, value)];
  });
  const download = useMutation({
    mutationFn: async () => {
      const picture = await drawChart({
        ...{ entries, interval, themeColor, format },
        title: [title, ...filterNames].join(' · '),
        clicks: { name: words.clicks, total: number(clicks) },
        scans: { name: words.scans, total: number(scans) },
        compared:
          compared === null
            ? null
            : {
                name: compared.name,
                total: number(compared.figures.clicks + compared.figures.scans),
                entries: compared.figures.entries,
                themeColor: compared.link === null ? themeColor : compared.link.themeColor,
              },
      });
      save(picture, `${fileName}.png`);
    },
  });
  return (
    <>
      <Button onClick={() => download.mutate()} isBusy={download.isPending}>
        <Icon name="import" size={18} />
        {words.downloadPng}
      </Button>
      <ErrorLine error={download.error} />
    </>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
