import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import type { Smartlink } from '@smartlink/client';
import { linkPath } from '../../app/link-paths.js';
import { Page, Section } from '../../app/page.js';
import { linkQuery, themeColorOf } from '../../app/queries.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Loaded } from '../../parts/loaded.js';
import { dataAddress, firstDesign } from './design.js';
import { QrDesigner, useQrPicture } from './qr-designer.js';
import styles from './qr.module.css';
import { useWords } from './words.js';

const LABELS_MAX = 200;
const COLUMNS_MAX = 8;

/** Designs the QR code of a link, and prints a sheet of labels. */
export function QrPage() {
  const words = useWords();
  const { id: linkId } = getRouteApi('/shell/dashboard/links/$id/qr').useParams();
  const link = useQuery(linkQuery(linkId));
  const name = link.data?.configuration.smartlinkName;
  return (
    <Page
      title={name === undefined ? words.heading : words.of(name)}
      action={<Link to={linkPath(linkId)}>{words.back}</Link>}
    >
      <Loaded query={link} lines={6}>
        {(data) => <Studio link={data} />}
      </Loaded>
    </Page>
  );
}

function Studio({ link }: { readonly link: Smartlink }) {
  const words = useWords();
  const { id, relink, configuration } = link;
  const [design, setDesign] = useState(() => firstDesign(themeColorOf(link)));
  const picture = useQrPicture({ id }, design);
  return (
    <>
      <div className={styles.screenOnly}>
        <Section title={words.codeHeading}>
          <QrDesigner
            link={{ id, relink, slug: configuration.smartlinkUrl ?? id }}
            design={design}
            onChange={setDesign}
            picture={picture}
          />
        </Section>
      </div>
      {picture.svg === null ? null : <Sheet svg={picture.svg} />}
    </>
  );
}

function Sheet({ svg }: { readonly svg: string }) {
  const words = useWords();
  const [labels, setLabels] = useState('12');
  const [columns, setColumns] = useState('3');
  const count = within(labels, LABELS_MAX);
  const grid = { '--columns': within(columns, COLUMNS_MAX) } as CSSProperties;
  const address = dataAddress(svg);
  return (
    <section className={styles.sheetPart} aria-labelledby="sheet">
      <div className={styles.screenOnly}>
        <h2 id="sheet">{words.sheetHeading}</h2>
        <div className={styles.sheetForm}>
          <TextField
            type="number"
            label={words.labels}
            min={1}
            max={LABELS_MAX}
            value={labels}
            onChange={({ target: { value } }) => setLabels(value)}
          />
          <TextField
            type="number"
            label={words.columns}
            min={1}
            max={COLUMNS_MAX}
            value={columns}
            onChange={({ target: { value } }) => setColumns(value)}
          />
          <Button look="primary" onClick={() => print()}>
            <Icon name="print" size={18} />
            {words.print}
          </Button>
        </div>
      </div>
      <div className={styles.sheet} style={grid} role="img" aria-label={words.sheetOf(count)}>
        {Array.from({ length: count }, (_, index) => (
          <img key={index} src={address} alt="" className={styles.label} />
        ))}
      </div>
    </section>
  );
}

function within(text: string, max: number): number {
  const number = Number(text);
  return Number.isInteger(number) ? Math.min(Math.max(number, 1), max) : 1;
}
