import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Smartlink } from '@smartlink/client';
import { Page } from '../../app/page.js';
import { linkQuery, themeColorOf } from '../../app/queries.js';
import { useHasRole } from '../../app/session.js';
import { Loaded } from '../../parts/loaded.js';
import { EmptyNotice } from '../../parts/notice.js';
import { ChangeList } from '../activity/change-list.js';
import { Figures } from '../figures/figures.js';
import { type FiguresQuery } from '../figures/query.js';
import { LinkActions, LinkAddress } from './header.js';
import styles from './link.module.css';
import { type LinkTab, TABS } from './search.js';
import { WhereItLeads } from './where-it-leads.js';
import { useWords } from './words.js';

const route = getRouteApi('/shell/dashboard/links/$id');

/** One smartlink: its figures, where it leads, and its changes. */
export function LinkScreen() {
  const words = useWords();
  const { id } = route.useParams();
  const query = useQuery(linkQuery(id));
  const link = query.data;
  return (
    <Page
      title={link?.configuration.smartlinkName ?? words.link}
      action={link === undefined ? null : <LinkActions link={link} />}
    >
      <Loaded query={query} lines={8}>
        {(found) => (
          <>
            <LinkAddress link={found} />
            <LinkTabs key={found.id} link={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

// An App link without a fallback has a page of its stores.
const TYPES_WITH_BUTTONS: ReadonlySet<string> = new Set(['Landing', 'QRTag', 'DigiCard', 'App']);

function LinkTabs({ link }: { readonly link: Smartlink }) {
  const words = useWords();
  const isOwner = useHasRole('Owner');
  const { tab: asked = 'figures', ...query } = route.useSearch();
  const navigate = useNavigate();
  const tabs = TABS.filter((tab) => tab !== 'changes' || isOwner);
  const tab = tabs.includes(asked) ? asked : 'figures';
  const onTab = (value: LinkTab) => {
    const search = { ...query, tab: value === 'figures' ? undefined : value };
    void navigate({ to: '.', search, replace: true, resetScroll: false });
  };
  const onChange = (changes: Partial<FiguresQuery>) => {
    void navigate({ to: '.', search: { ...query, ...changes }, replace: true, resetScroll: false });
  };
  return (
    <Tabs.Root value={tab} onValueChange={onTab} className={styles.tabs}>
      <Tabs.List className={styles.list} aria-label={words.tabsLabel}>
        {tabs.map((each) => (
          <Tabs.Tab key={each} value={each} className={styles.tab}>
            {words.tabs[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="figures">
        <Figures
          smartlinkId={link.id}
          hasButtons={TYPES_WITH_BUTTONS.has(link.configuration.smartlinkType)}
          title={link.configuration.smartlinkName}
          themeColor={themeColorOf(link)}
          fileName={link.configuration.smartlinkUrl}
          query={query}
          onChange={onChange}
        />
      </Tabs.Panel>
      <Tabs.Panel value="leads">
        <WhereItLeads link={link} />
      </Tabs.Panel>
      <Tabs.Panel value="changes">
        <div className={styles.leads}>
          <ChangeList
            search={{ smartlinkId: link.id }}
            empty={<EmptyNotice heading={words.noChanges} />}
            hasLinks={false}
          />
        </div>
      </Tabs.Panel>
    </Tabs.Root>
  );
}
