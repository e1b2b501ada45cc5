// 24 × 24 grid, stroke 2, as on the hosted pages.
const PATHS = {
  app: 'M8 3h8v18H8zm3 15h2',
  alert: 'M12 8v5m0 3.5v.01M12 3 2.5 20h19z',
  activity: 'M12 7v5l3 2M3.5 12a8.5 8.5 0 1 0 2.5-6L3.5 8.5m0-5v5h5',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zm0 13a3 3 0 0 1 3-3h11',
  card: 'M3 6h18v12H3zm3 9h5M8.5 12a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM14 10h4m-4 4h4',
  chart: 'M4 20h16M7 16v-5m5 5V5m5 11v-8',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm6 9 6 6 6-6',
  close: 'M6 6l12 12M18 6 6 18',
  duplicate: 'M9 9h11v11H9zM5 15H4V4h11v1m-.5 6v6m-3-3h6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  edit: 'M4 20h4L19.5 8.5l-4-4L4 16zm9-13 4 4',
  filter: 'M4 6h16M7 12h10m-7 6h4',
  folder: 'M3 6h6l2 2.5h10V19H3z',
  import: 'M12 3v11m0 0 4-4m-4 4-4-4M4 16v4h16v-4',
  key: 'M14.5 9.5a5 5 0 1 0-4.6 5L12 12.5 21 3.5M17 7.5 19.5 10',
  links:
    'M10 14a4 4 0 0 0 5.7 0l3.3-3.3a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0L5 13.3A4 4 0 0 0 10.7 19L12 17.7',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  menu: 'M6 3v7a2 2 0 0 0 4 0V3M8 12v9m9-9v9m0-9c-3 0-3-9 0-9z',
  overview: 'M4 20V10m5.3 10V4m5.4 16v-8M20 20V7',
  page: 'M4 4h16v16H4zm0 5h16M8 13h8m-8 3h5',
  pause: 'M9 5v14m6-14v14',
  play: 'M7 5v14l11-7z',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z',
  qr: 'M4 4h6v6H4zm10 0h6v6h-6zM4 14h6v6H4zm10 0h2m4 0v2m-6 0v4h2m4 0v-1m-3-2h1',
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zm4.7-1.8L20 20',
  settings:
    'M4 7h9m5 0h2M4 17h2m5 0h9M13 7a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0M6 17a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0',
  shield: 'M12 3 5 5.5v6c0 4.5 3 7.7 7 9.5 4-1.8 7-5 7-9.5v-6z',
  signOut: 'M14 8V4H4v16h10v-4M9 12h12m0 0-3.5-3.5M21 12l-3.5 3.5',
  upload: 'M12 16V5m0 0 4 4m-4-4L8 9M4 16v4h16v-4',
  up: 'm6 15 6-6 6 6',
  tag: 'M4 4h8l8.5 8.5-8 8L4 12zm4.5 4.5v.01',
  text: 'M6 3h9l4 4v14H6zm3 8h7m-7 3h7m-7 3h4',
  trash: 'M5 7h14M10 7V4h4v3m3 0-1 13H8L7 7',
  webhooks: 'M7 4v5m10-5v5M5 9h14v3a7 7 0 0 1-14 0zm7 10v2',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon, beside text or in a named control. */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' || name === 'grip' ? 3 : 2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
