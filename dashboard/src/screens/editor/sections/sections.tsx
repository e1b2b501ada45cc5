import { type ComponentType, memo, type ReactNode, useId } from 'react';
import { useFormContext } from 'react-hook-form';
import type { SmartlinkType } from '@smartlink/client';
import { Icon } from '../../../parts/icon.js';
import { TYPES } from '../../../parts/ink.js';
import styles from '../editor.module.css';
import { EMPTY, type Values } from '../form/values.js';
import { Availability } from '../routing/availability.js';
import { Routing } from '../routing/routing.js';
import { useWords } from '../words.js';
import { AppContent, CardContent, LandingContent, QrTagContent, TextContent, UrlContent } from './content.js';
import { Appearance, Campaign, Filing, Redirects, Sharing } from './extras.js';
import { MenuContent } from './menu.js';

type SectionKey = keyof ReturnType<typeof useWords>['sections'];

type SectionEntry = {
  readonly key: SectionKey;
  readonly types: readonly SmartlinkType[];
  readonly Fields: ComponentType;
  /** Whether the section starts open. */
  readonly isFilled: (values: Values) => boolean;
};

const hasText = (members: Readonly<Record<string, unknown>>): boolean =>
  Object.values(members).some((value) => value !== '' && !(Array.isArray(value) && value.length === 0));

const always = (): boolean => true;
const hasAppearance = ({ appearance }: Values): boolean =>
  Object.values(appearance).join() !== Object.values(EMPTY.appearance).join();
const PAGES: readonly SmartlinkType[] = ['Landing', 'QRTag', 'DigiCard', 'QrMenu'];

/** Sections of the form below name and address, in order. */
const SECTIONS: readonly SectionEntry[] = [
  { key: 'url', types: ['Url'], Fields: UrlContent, isFilled: always },
  { key: 'app', types: ['App'], Fields: AppContent, isFilled: always },
  { key: 'landing', types: ['Landing'], Fields: LandingContent, isFilled: always },
  { key: 'qrTag', types: ['QRTag'], Fields: QrTagContent, isFilled: always },
  { key: 'digiCard', types: ['DigiCard'], Fields: CardContent, isFilled: always },
  { key: 'txtBin', types: ['TxtBin'], Fields: TextContent, isFilled: always },
  { key: 'qrMenu', types: ['QrMenu'], Fields: MenuContent, isFilled: always },
  { key: 'appearance', types: PAGES, Fields: Appearance, isFilled: hasAppearance },
  { key: 'sharing', types: TYPES, Fields: Sharing, isFilled: ({ openGraph }) => hasText(openGraph) },
  { key: 'campaign', types: ['Url'], Fields: Campaign, isFilled: ({ utm }) => hasText(utm) },
  {
    key: 'redirect',
    types: ['Url', 'App'],
    Fields: Redirects,
    isFilled: ({ redirect }) => hasText(redirect),
  },
  {
    key: 'routing',
    types: TYPES,
    Fields: Routing,
    isFilled: ({ routing: { rules, variants } }) => hasText({ rules, variants }),
  },
  {
    key: 'availability',
    types: TYPES,
    Fields: Availability,
    isFilled: ({ availability }) => hasText(availability),
  },
  {
    key: 'filing',
    types: TYPES,
    Fields: Filing,
    isFilled: ({ tags, folderId, notes }) => hasText({ tags, folderId, notes }),
  },
];

export const Sections = memo(function Sections({ type }: { readonly type: SmartlinkType }) {
  const words = useWords();
  const { getValues } = useFormContext<Values>();
  return SECTIONS.filter(({ types }) => types.includes(type)).map(({ key, Fields, isFilled }) => (
    <FormSection key={key} title={words.sections[key]} isOpen={isFilled(getValues())}>
      <Fields />
    </FormSection>
  ));
});

function FormSection({
  title,
  isOpen,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <details
      className={styles.section}
      ref={(details) => {
        // Set once; then the person decides.
        if (details !== null && details.dataset.known === undefined) {
          details.dataset.known = '';
          details.open = isOpen;
        }
      }}
    >
      <summary className={styles.summary}>
        <h2 id={id}>{title}</h2>
        <Icon name="chevron" />
      </summary>
      <div className={styles.fields} role="group" aria-labelledby={id}>
        {children}
      </div>
    </details>
  );
}
