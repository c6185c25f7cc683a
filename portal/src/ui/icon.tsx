/** Outlines on a grid of 24 units. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  apps: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  bars: 'M4 6h16M4 12h16M4 18h16',
  bell: 'M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10.5 20h3',
  book: 'M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14',
  cable: 'M7 4v5a4 4 0 0 0 4 4h2a4 4 0 0 1 4 4v3M4 4h6M14 20h6',
  cap: 'M12 5L2 10l10 5 10-5zM6 12v4.5c3 3 9 3 12 0V12M22 10v5',
  chart: 'M4 20h16M7 16v-4M12 16V5M17 16V9',
  chat: 'M4 5h16v11H11l-4.5 4v-4H4z',
  check: 'M5 13l4 4L19 7',
  chip: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  close: 'M6 6l12 12M18 6L6 18',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  dashboard: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  database: 'M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0zM4 6c0 4 16 4 16 0M4 12c0 4 16 4 16 0',
  door: 'M5 20V4h10v16M3 20h18M11.5 12h.01M19 20V8h-4',
  down: 'M6 9l6 6 6-6',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  events: 'M4 6h16M4 12h16M4 18h10',
  explore: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.5 8.5l-2 5-5 2 2-5z',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  flag: 'M5 21V4M5 4h13l-3 4 3 4H5',
  fork: 'M5 4v5a3 3 0 0 0 3 3h8a3 3 0 0 1 3 3v5M5 12v8M2.5 17.5L5 20l2.5-2.5M16.5 17.5L19 20l2.5-2.5',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  gauge: 'M4.5 18a9 9 0 1 1 15 0M12 14l4-5',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.8h.01',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  key: 'M8 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 12h9v4M17 12v3',
  left: 'M15 6l-6 6 6 6',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  logout: 'M15 4h4v16h-4M10 8l-4 4 4 4M6 12h9',
  mail: 'M4 5h16v14H4zM4 7l8 6 8-6',
  menu: 'M5 12h.01M12 12h.01M19 12h.01',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  move: 'M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3',
  pause: 'M8 5v14M16 5v14',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 20c0-3.5 2.5-5.5 6-5.5s6 2 6 5.5M16 5.5a3 3 0 0 1 0 6M17 14.8c2.5.4 4 2.3 4 5.2',
  play: 'M7 5l12 7-12 7z',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  pulse: 'M3 12h4l3-7 4 14 3-7h4',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  resize: 'M20 9v11H9M11 11l9 9',
  right: 'M9 6l6 6-6 6',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  segments: 'M12 3v9l6.5 6.2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 12H3',
  share: 'M12 15V4M8 7l4-4 4 4M6 11H4v9h16v-9h-2',
  shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  up: 'M6 15l6-6 6 6',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration: the text beside it, or the label of its button, says what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon-shape" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={name === 'menu' ? 3 : 1.8}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
