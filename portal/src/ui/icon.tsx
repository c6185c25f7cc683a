/** Outlines on a grid of 24 units. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  bell: 'M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10.5 20h3',
  check: 'M5 13l4 4L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  dashboard: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  down: 'M6 9l6 6 6-6',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  events: 'M4 6h16M4 12h16M4 18h10',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  gauge: 'M4.5 18a9 9 0 1 1 15 0M12 14l4-5',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  key: 'M8 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 12h9v4M17 12v3',
  left: 'M15 6l-6 6 6 6',
  logout: 'M15 4h4v16h-4M10 8l-4 4 4 4M6 12h9',
  menu: 'M5 12h.01M12 12h.01M19 12h.01',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  move: 'M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5l12 7-12 7z',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  resize: 'M20 9v11H9M11 11l9 9',
  right: 'M9 6l6 6-6 6',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
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
