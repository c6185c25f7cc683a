import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { PageHelp } from '../ui/page-head.tsx';
import { Loading } from '../ui/states.tsx';
import { ChapterLink } from './chapter-link.tsx';
import { Frame } from './frame.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { StepUp } from './step-up.tsx';

const loading = <Loading height={320} />;

/** Stands while the session is read. */
export function PendingShell() {
  return <Frame>{loading}</Frame>;
}

/** The frame of every page of a logged-in user. */
export function Shell() {
  return (
    <>
      <OfflineBanner />
      <Frame>
        <PageHelp value={<ChapterLink />}>
          <Suspense fallback={loading}>
            <Outlet />
          </Suspense>
        </PageHelp>
        <StepUp />
      </Frame>
    </>
  );
}
