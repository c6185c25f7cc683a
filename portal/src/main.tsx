import './style/index.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { options } from 'preact';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onSessionEnd } from './api/client.ts';
import { queryClient, sessionQuery } from './api/session.ts';
import { loginFrom, router } from './routes.tsx';
import { reloadOnMissingChunk } from './shell/missing-chunk.ts';
import { Toasts } from './ui/toast.tsx';

// Effects run right after rendering, not after the next frame, which a tab in the background does not draw. A route that had
// its answer before its effect subscribed to the router would be rendered as pending again and again, without end.
options.requestAnimationFrame = queueMicrotask;
reloadOnMissingChunk();
onSessionEnd(() => {
  const { pathname, href } = router.state.location;
  // The page of an invitation asks whether somebody is logged in, and needs nobody.
  if (pathname === '/login' || pathname === '/invitation') return;
  // Whoever was not logged in before has no session that could end.
  const hadSession = queryClient.getQueryData(sessionQuery.queryKey) !== undefined;
  void router.navigate(loginFrom(href, hadSession));
});
// Not before: a page with unsaved changes stays, with what it shows.
router.subscribe('onRendered', ({ toLocation }) => {
  if (toLocation.pathname === '/login') queryClient.clear();
});

// Moves the focus to the title, so that screen readers announce the new page.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) document.querySelector<HTMLElement>('main h1')?.focus();
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
