import type { CSSProperties } from 'react';

const SHAPES = [
  { w: 3, h: 2 },
  { w: 3, h: 2 },
  { w: 6, h: 3 },
  { w: 6, h: 3 },
];

/** Shown until the tabs and cards are loaded. */
export function GridSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading the dashboards …</span>
      <div className="skeleton tabs-skeleton" aria-hidden="true" />
      <div className="grid" aria-hidden="true">
        {SHAPES.map(({ w, h }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the shapes never change
            key={index}
            className="card panel"
            style={{ '--x': 'auto', '--y': 'auto', '--w': w, '--h': h } as CSSProperties}
          >
            <div className="skeleton" />
          </div>
        ))}
      </div>
    </div>
  );
}
