import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { chunk } from '../../shell/missing-chunk.ts';
import { Loading } from '../../ui/states.tsx';
import { ExploreHead } from './head.tsx';
import { viewOf } from './state.ts';

const PAGES = {
  kpi: lazy(async () => ({ default: (await chunk(import('./kpi/page.tsx'))).AggregateEvents })),
  table: lazy(async () => ({ default: (await chunk(import('./table/page.tsx'))).QueryEvents })),
  feed: lazy(async () => ({ default: (await chunk(import('./feed/page.tsx'))).Feed })),
};

/** One question about events as a KPI, as a table, or as the events themselves. */
export function Explore() {
  const view = viewOf(useSearch({ from: '/shell/explore' }).view);
  const Page = PAGES[view];
  return (
    <Suspense
      fallback={
        <>
          <ExploreHead />
          <Loading height={320} />
        </>
      }
    >
      <Page key={view} />
    </Suspense>
  );
}
