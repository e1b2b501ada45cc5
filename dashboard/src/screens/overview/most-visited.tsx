import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Breakdown } from '@smartlink/client';
import { api } from '../../app/api.js';
import { linkPath, LINKS } from '../../app/link-paths.js';
import { Section } from '../../app/page.js';
import { usePreferences } from '../../app/preferences.js';
import { List } from '../../parts/list.js';
import { EmptyNotice } from '../../parts/notice.js';
import type { Column } from '../../parts/table.js';
import { useFormat } from '../../words/format.js';
import { type FiguresQuery, filtersOf, spanOf } from '../figures/query.js';
import { useWords } from './words.js';

type Row = Breakdown['rows'][number];
type Group = 'smartlink' | 'tag' | 'folder';

const ROWS = 10;
const REFRESH_MS = { smartlink: 5_000, tag: 60_000, folder: 60_000 } as const;

/** The smartlinks, tags or folders with the most visits; nothing in an account without visits of any tag or folder. */
export function MostVisited({ by, query }: { readonly by: Group; readonly query: FiguresQuery }) {
  const words = useWords();
  const format = useFormat();
  const preferences = usePreferences();
  const tz = query.tz ?? preferences.timeZone;
  const { from, to } = spanOf(query, tz, Date.now());
  const parameters = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...{ tz, limit: ROWS },
    ...filtersOf(query),
  };
  const found = useQuery({
    queryKey: ['figures', 'most', by, parameters],
    queryFn: async ({ signal }) => (await api.analytics.breakdown(by, parameters, { signal })).data.rows,
    refetchInterval: REFRESH_MS[by],
  });
  if (by !== 'smartlink' && !(found.data ?? []).some(({ value }) => value !== null)) return null;
  const { title, header } = words.most[by];
  const columns: readonly Column<Row>[] = [
    { header, kind: 'main', cell: (row) => <Name by={by} row={row} /> },
    { header: words.clicks, kind: 'number', cell: ({ clicks }) => format.number(clicks) },
    { header: words.scans, kind: 'number', cell: ({ qrScans }) => format.number(qrScans) },
  ];
  return (
    <Section title={title}>
      <List
        query={found}
        lines={5}
        empty={<EmptyNotice heading={words.none}>{words.noneText}</EmptyNotice>}
        label={title}
        columns={columns}
        rowKey={({ value }) => value ?? ''}
      />
    </Section>
  );
}

/** Leads to the smartlink, or to the list of those with the tag or in the folder. */
function Name({ by, row: { value, name } }: { readonly by: Group; readonly row: Row }) {
  const words = useWords();
  if (by === 'smartlink') return <Link to={linkPath(value ?? '')}>{name ?? words.deletedLink}</Link>;
  if (value === null) return words.most[by].without;
  return (
    <Link to={LINKS} search={{ [by]: value }}>
      {name ?? value}
    </Link>
  );
}
